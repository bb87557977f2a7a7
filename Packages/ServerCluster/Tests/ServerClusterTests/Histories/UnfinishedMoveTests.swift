import ObjectServer
import Permissions
import PostgresClientTestSupport
import ServerCluster
import Testing

@Suite("moves of realms that ended between directory and record", .serialized, .enabled(if: PostgresServer.isThere))
struct UnfinishedMoveTests {
  @Test("a realm that is removed at its new path leaves nothing for the next one at its old path")
  func removed() async throws {
    try await ClusterScene.run { scene in
      let (old, new) = (try RealmPath("/ann/notes"), try RealmPath("/ann/later"))
      let a = try scene.node("a")
      try Notes.put(1, "private", in: try a.open(old))
      try scene.sql("INSERT INTO renamed(path, target, seal) VALUES ('\(old)', '\(new)', '')")
      try a.stores.remove(new)
      #expect(try scene.sql("SELECT 1 FROM realm").count == 0)
      // The directory forgets the realm last.
      try scene.sql("DELETE FROM renamed")
      #expect(Notes.texts(try a.content(old)) == [:])
      a.ownership.close()
    }
  }

  @Test("a data directory that is made of the cluster has the realm at its new path, with all that it holds")
  func exported() async throws {
    try await ClusterScene.run { scene in
      let moving = try MovingScene(scene, seed: 1, realms: 2)
      _ = try moving.takeIn()
      let (old, new) = (moving.paths[0], try RealmPath("/ann/later"))
      let expected = try moving.state(old, in: moving.single())
      let directory = try PostgresDirectory(
        ClusterDatabase(scene.postgres.address()), keys: moving.data + "/keys")
      #expect(try directory.renameRealm(old, to: new))
      directory.close()
      let back = scene.folder + "/back"
      let report = try moving.takeOut(to: back)
      #expect(report.realms == moving.paths.count)
      #expect(report.leftOut == [])
      #expect(try moving.state(new, in: moving.single(back, seed: 2)) == expected)
    }
  }
}
