import Foundation
import ObjectServer
import Permissions
import PostgresClientTestSupport
import RecordStore
import ServerCluster
import TestKit
import Testing

@Suite("data directories into a cluster and back", .serialized, .enabled(if: PostgresServer.isThere))
struct ClusterMoveTests {
  @Test("realms and users are the same in the cluster and in a data directory of it, with client files and versions")
  func roundTrip() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 1)
      let (users, before) = (try moving.users(), try moving.states(in: moving.single()))
      #expect(before[0].files.count > 1)
      let report = try moving.takeIn()
      #expect(report.realms == moving.paths.count)
      #expect(report.found == 0)
      #expect(report.leftOut == [])
      #expect(try scene.sql("SELECT max(part) FROM realm_checkpoint").integer(0, 0) ?? 0 > 1)
      // Nobody has the files of the node: they are made from the record.
      let node = try scene.node("a")
      #expect(try moving.states(in: node.stores) == before)
      for path in moving.paths { try moving.write(path, 2, from: 100, in: node.stores) }
      let meanwhile = try moving.states(in: node.stores)
      #expect(meanwhile != before)
      node.ownership.close()

      let back = scene.folder + "/back"
      #expect(try moving.takeOut(to: back).realms == moving.paths.count)
      let single = moving.single(back, seed: 2)
      #expect(try moving.states(in: single) == meanwhile)
      #expect(try moving.users(back) == users)
      for path in moving.paths { try moving.write(path, 2, from: 200, in: single) }
      #expect(Notes.texts(try moving.state(moving.paths[1], in: single).content)[201] != nil)
      let verified = try EmbeddedServer(path: back).verify()
      #expect(verified.problems == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: back).sorted() == ["directory.db", "keys", "realms"])
    }
  }

  @Test("an import that ends at any point keeps nodes out, and the next run goes on to the same end")
  func interrupted() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 2, realms: 3)
      let before = try moving.states(in: moving.single())
      var (runs, found) = (0, 0)
      var report: MoveReport?
      while report == nil, runs < 200 {
        runs += 1
        var left = runs
        do {
          report = try moving.takeIn {
            left -= 1
            return left < 0
          }
        } catch let error as ServerError where error.code == .interrupted {
          let realms = try scene.sql("SELECT count(*) FROM realm").integer(0, 0) ?? 0
          found = max(found, Int(realms))
          guard realms > 0 else { continue }
          let refusal = #expect(throws: ServerError.self) { try moving.enterNode() }
          #expect(refusal?.message.contains("not finished") == true)
          #expect(throws: ServerError.self) { try moving.takeOut(to: scene.folder + "/none") }
        }
      }
      #expect(report?.found == found)
      #expect(found == moving.paths.count)
      #expect(runs > moving.paths.count + 2)
      try moving.enterNode()
      let node = try scene.node("a")
      #expect(try moving.states(in: node.stores) == before)
      node.ownership.close()
    }
  }

  @Test("a second run replaces what the data directory has changed since, and what is damaged; removed realms go")
  func changedSince() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 3)
      // Ends when all realms are copied, before the first is compared.
      var isLast = false
      #expect(throws: ServerError.self) {
        try moving.takeIn {
          let copied = try? scene.sql("SELECT count(*) FROM realm").integer(0, 0)
          defer { isLast = copied == Int64(moving.paths.count) }
          return isLast
        }
      }
      try moving.write(moving.paths[1], 1, from: 50, in: moving.single())
      try scene.sql(
        """
        UPDATE realm_checkpoint SET content = set_byte(content, 5000, 255 - get_byte(content, 5000))
        WHERE part = 0 AND realm = (SELECT number FROM realm WHERE path = '\(moving.paths[2])')
        """)
      try scene.sql("INSERT INTO realm(path, shard) VALUES ('/ann/gone', 1)")
      let before = try moving.states(in: moving.single())
      let report = try moving.takeIn()
      #expect(report.found == moving.paths.count - 2)
      let node = try scene.node("a")
      #expect(try moving.states(in: node.stores) == before)
      #expect(try node.stores.history(of: RealmPath("/ann/gone")) == nil)
      node.ownership.close()
    }
  }

  @Test("what the database has otherwise than it was sent is found before nodes may enter")
  func damagedOnTheWay() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 4)
      _ = try ClusterDatabase(scene.postgres.address())
      try scene.sql(
        """
        CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN NEW.content = set_byte(NEW.content, 99, 255 - get_byte(NEW.content, 99)); RETURN NEW; END';
        CREATE TRIGGER damage BEFORE INSERT ON realm_checkpoint FOR EACH ROW WHEN (NEW.part = 1) EXECUTE FUNCTION damage()
        """)
      let error = #expect(throws: ServerError.self) { try moving.takeIn() }
      #expect(error?.message.contains("is not what was copied") == true)
      #expect(throws: ServerError.self) { try moving.enterNode() }
      try scene.sql("DROP TRIGGER damage ON realm_checkpoint")
      #expect(try moving.takeIn().found == moving.paths.count - 1)
    }
  }
}
