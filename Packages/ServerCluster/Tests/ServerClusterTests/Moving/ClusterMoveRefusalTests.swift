import Foundation
import ObjectServer
import Permissions
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

@Suite("moves of a data directory that are refused", .serialized, .enabled(if: PostgresServer.isThere))
struct ClusterMoveRefusalTests {
  private static func refusal(_ code: ServerError.Code, _ part: String, _ work: () throws -> Void) {
    let error = #expect(throws: ServerError.self) { try work() }
    #expect(error?.code == code)
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
  }

  @Test("an import: of a directory in use, of none, into a cluster with nodes or users, with other keys, twice")
  func imports() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 1, realms: 1)
      let other = try MovingScene(scene, seed: 2, realms: 1)
      do {
        let stopped = try StoppedDirectory(EmbeddedServer(path: moving.data))
        Self.refusal(.dataDirectoryLocked, "uses the data directory") { _ = try moving.takeIn() }
        withExtendedLifetime(stopped) {}
      }
      let none = ClusterImport(scene.postgres.address(), of: EmbeddedServer(path: scene.folder + "/typo"))
      Self.refusal(.dataDirectoryUnusable, "is no data directory") { _ = try none.run() }
      #expect(!FileManager.default.fileExists(atPath: scene.folder + "/typo"))

      var left = 3
      Self.refusal(.interrupted, "interrupted") {
        _ = try moving.takeIn {
          left -= 1
          return left < 0
        }
      }
      Self.refusal(.badKey, "is not that of this cluster") { _ = try other.takeIn() }
      _ = try moving.takeIn()
      Self.refusal(.dataDirectoryUnusable, "were moved into a cluster") { _ = try moving.takeIn() }
      // Killed before the mark was written.
      try FileManager.default.removeItem(atPath: moving.data + "/moved")
      #expect(try moving.takeIn().found == moving.paths.count)
      Self.refusal(.dataDirectoryUnusable, "were moved into a cluster") { _ = try moving.users() }

      let node = try scene.node("a")
      Self.refusal(.clusterFailure, "servers of the cluster run: a") { _ = try other.takeIn() }
      Self.refusal(.clusterFailure, "servers of the cluster run: a") {
        _ = try moving.takeOut(to: scene.folder + "/none")
      }
      node.ownership.close()
      Self.refusal(.clusterFailure, "the cluster is not empty") { _ = try other.takeIn() }
      #expect(!FileManager.default.fileExists(atPath: scene.folder + "/none"))
    }
  }

  @Test("a damaged realm is named, and nothing of it is in the cluster")
  func damaged() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 3, realms: 1)
      let file = try #require(StoppedDirectory(EmbeddedServer(path: moving.data)).realms.first?.file)
      var bytes = try #require(FileManager.default.contents(atPath: file))
      for at in stride(from: 9_000, to: bytes.count, by: 3_000) { bytes[at] ^= 0x55 }
      try bytes.write(to: URL(fileURLWithPath: file))
      Self.refusal(.realmFailure, file) { _ = try moving.takeIn() }
      #expect(try scene.sql("SELECT 1 FROM realm WHERE path = '\(moving.paths[0])'").count == 0)
    }
  }

  @Test("an export: to a folder that is there, with other keys; one that ends early leaves nothing and harms nothing")
  func exports() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 4, realms: 2)
      let before = try moving.states(in: moving.single())
      _ = try moving.takeIn()
      let back = scene.folder + "/back"
      Self.refusal(.dataDirectoryUnusable, "exists already") { _ = try moving.takeOut(to: moving.data) }
      let stranger = try MovingScene(scene, seed: 5, realms: 1)
      let foreign = ClusterExport(scene.postgres.address(), keysOf: EmbeddedServer(path: stranger.data))
      Self.refusal(.badKey, "is not that of this cluster") { _ = try foreign.run(to: back) }
      // The folder that a killed run leaves is no data directory, and is replaced.
      try FileManager.default.createDirectory(atPath: back + ".partial/realms/named", withIntermediateDirectories: true)
      try Data("half".utf8).write(to: URL(fileURLWithPath: back + ".partial/realms/named/x.realm"))
      var runs = 0
      while runs < 50, !FileManager.default.fileExists(atPath: back) {
        runs += 1
        var left = runs
        do {
          _ = try moving.takeOut(to: back) {
            left -= 1
            return left < 0
          }
        } catch let error as ServerError where error.code == .interrupted {
          #expect(!FileManager.default.fileExists(atPath: back + ".partial"))
        }
      }
      #expect(runs > moving.paths.count)
      #expect(try moving.states(in: moving.single(back)) == before)
      let node = try scene.node("a")
      #expect(try moving.states(in: node.stores) == before)
      node.ownership.close()
    }
  }

  @Test("a node that slept through an export writes nothing when it wakes up")
  func paused() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 6, realms: 1)
      _ = try moving.takeIn()
      let node = try scene.node("a")
      let open = try node.open(moving.paths[0])
      var report: MoveReport?
      // Its lease has ended, for all that others see, until it renews it.
      for attempt in 0..<1_000 where report == nil {
        try scene.sql("UPDATE node SET expires = '-infinity'")
        report = try? moving.takeOut(to: scene.folder + "/back\(attempt)")
      }
      #expect(report != nil)
      #expect(throws: (any Error).self) { try Notes.put(9_999, "late", in: open) }
      #expect(throws: (any Error).self) { _ = try node.ownership.acquire(moving.paths[0]) }
      node.ownership.close()
    }
  }
}
