import Foundation
import ObjectServer
import Permissions
import PostgresClientTestSupport
import RecordStore
import ServerCluster
import TestKit
import Testing

@Suite("records of realms in PostgreSQL", .serialized, .enabled(if: PostgresServer.isThere))
struct PostgresRecordTests {
  private static func path(_ text: String = "/ann/notes") throws -> RealmPath { try RealmPath(text) }

  @Test("a node without files has the realms of the record, with their client files")
  func rebuilt() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let a = try scene.node("a")
      do {
        let store = try a.stores.open(path, isNew: true)
        let file = try store.allocateClientFile()
        #expect(try store.clientFile(file.ident) != nil)
        store.close()
        try Notes.put(1, "kept", in: try a.open(path))
        try a.wipe()
        let again = try a.stores.open(path, isNew: false)
        #expect(try again.clientFile(file.ident)?.salt == file.salt)
        again.close()
        #expect(Notes.texts(try a.content(path)) == [1: "kept"])
      }
      a.ownership.close()
      let b = try scene.node("b")
      #expect(Notes.texts(try b.content(path)) == [1: "kept"])
      b.ownership.close()
    }
  }

  @Test("while a node has a realm, no other opens it; when it has left, the next one does")
  func oneOwner() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let (a, b) = (try scene.node("a"), try scene.node("b"))
      try Notes.put(1, "by a", in: try a.open(path))
      let error = #expect(throws: ServerError.self) { _ = try b.open(path) }
      #expect(error?.code == .clusterFailure)
      #expect(try b.ownership.acquire(path) == .node(a.ownership.node))
      #expect(b.ownership.place(of: path) == .node(a.ownership.node))
      a.ownership.close()
      try Notes.put(2, "by b", in: try b.open(path))
      #expect(Notes.texts(try b.content(path)) == [1: "by a", 2: "by b"])
      #expect(b.ownership.place(of: path) == .here)
      b.ownership.close()
    }
  }

  /// Ends the lease of a node, which renews it when it wakes up, and lets another node take a realm.
  private static func take(_ path: RealmPath, from: Node, by node: Node, _ scene: ClusterScene) throws {
    for _ in 0..<1_000 {
      try scene.sql("UPDATE node SET expires = '-infinity' WHERE name = '\(from.name)'")
      if try node.ownership.acquire(path) == .here { return }
    }
    Issue.record("the realm was not taken")
  }

  /// A file of a node that wrote to its realm, after another node took the realm and wrote to it.
  private static func written(_ path: RealmPath, _ a: Node, thenBy b: Node, _ scene: ClusterScene) throws
    -> ServerHistory
  {
    let open = try a.open(path)
    try Notes.put(1, "by a", in: open)
    try take(path, from: a, by: b, scene)
    try Notes.put(2, "by b", in: try b.open(path))
    return open
  }

  @Test("a file that stayed open while another node had its realm is not used again, though nothing was written to it")
  func staleFile() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let (a, b) = (try scene.node("a"), try scene.node("b"))
      do {
        let open = try Self.written(path, a, thenBy: b, scene)
        b.ownership.close()
        while try a.ownership.acquire(path) != .here { Thread.sleep(forTimeInterval: 0.01) }
        #expect(throws: (any Error).self) { _ = try a.open(path) }
        #expect(Notes.texts(try open.file.dump()) == [1: "by a"])
      }
      #expect(Notes.texts(try a.content(path)) == [1: "by a", 2: "by b"])
      a.ownership.close()
    }
  }

  @Test("a realm whose move ended between directory and record is found at its new path, with what it holds")
  func unfinishedMove() async throws {
    try await ClusterScene.run { scene in
      let (old, new) = (try Self.path(), try Self.path("/ann/later"))
      let a = try scene.node("a")
      try Notes.put(1, "kept", in: try a.open(old))
      try scene.sql("INSERT INTO renamed(path, target, seal) VALUES ('\(old)', '\(new)', '')")
      #expect(Notes.texts(try a.content(new)) == [1: "kept"])
      let left = try scene.sql("SELECT path FROM realm ORDER BY path")
      #expect(left[0, 0] == new.description)
      a.ownership.close()
    }
  }

  @Test("a node that was away when its realm was taken writes nothing, and has the realm again later as it is then")
  func fenced() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let (a, b) = (try scene.node("a"), try scene.node("b"))
      do {
        let open = try Self.written(path, a, thenBy: b, scene)
        #expect(throws: (any Error).self) { try Notes.put(3, "by a, asleep", in: open) }
        // Its copy did not take the write either.
        #expect(Notes.texts(try open.file.dump()) == [1: "by a"])
      }
      #expect(throws: (any Error).self) { _ = try a.open(path) }
      b.ownership.close()
      try Notes.put(4, "by a again", in: try a.open(path))
      #expect(Notes.texts(try a.content(path)) == [1: "by a", 2: "by b", 4: "by a again"])
      a.ownership.close()
      let epochs = try scene.sql("SELECT epoch FROM realm_commit ORDER BY version")
      let sequence = (0..<epochs.count).compactMap { epochs.integer($0, 0) }
      #expect(sequence == sequence.sorted())
      #expect(Set(sequence).count == 3)
    }
  }

  @Test("a copy that is older, ahead, of another history or damaged is made right before it is opened")
  func copies() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let a = try scene.node("a")
      for number in 1...5 { try Notes.put(Int64(number), "\(number)", in: try a.open(path)) }
      let expected = try a.content(path)
      let file = try #require(
        FileManager.default.enumerator(atPath: a.files)?.compactMap { $0 as? String }.first { $0.hasSuffix(".realm") })
      let name = a.files + "/" + file
      // Damaged.
      try Data("no store".utf8).write(to: URL(fileURLWithPath: name))
      #expect(try a.content(path) == expected)
      // Ahead, as after a restored backup of the database.
      try scene.sql(
        """
        DELETE FROM realm_commit WHERE version = (SELECT max(version) FROM realm_commit);
        UPDATE realm SET version = version - 1,
          digest = (SELECT digest FROM realm_commit ORDER BY version DESC LIMIT 1)
        """)
      #expect(Notes.texts(try a.content(path)).count <= 5)
      // Of another history from the same version on.
      try FileManager.default.copyItem(atPath: name, toPath: name + ".kept")
      try Notes.put(6, "one", in: try a.open(path))
      try Notes.put(7, "two", in: try a.open(path))
      let other = try a.content(path)
      try FileManager.default.removeItem(atPath: name)
      try FileManager.default.moveItem(atPath: name + ".kept", toPath: name)
      #expect(try a.content(path) == other)
      a.ownership.close()
    }
  }

  @Test("a record is used only after a commit of the node that read it, which a standby gets after what was read")
  func confirmed() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let a = try scene.node("a")
      try Notes.put(1, "kept", in: try a.open(path))
      // The database refuses the commit, as one does whose standby does not answer.
      try scene.sql(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no standby''; END';
        CREATE TRIGGER refuse BEFORE UPDATE ON node FOR EACH ROW WHEN (OLD.expires = NEW.expires) EXECUTE FUNCTION refuse()
        """)
      #expect(throws: ServerError.self) { _ = try a.open(path) }
      try scene.sql("DROP TRIGGER refuse ON node")
      #expect(Notes.texts(try a.content(path)) == [1: "kept"])
      a.ownership.close()
    }
  }

  @Test("a long record gets a checkpoint, from which a node without files begins")
  func checkpoints() async throws {
    try await ClusterScene.run { scene in
      let path = try Self.path()
      let a = try scene.node("a")
      do {
        let open = try a.open(path)
        for number in 0..<40 {
          try Notes.put(Int64(number), String(repeating: "\(number % 10)", count: 20_000), in: open)
        }
        for _ in 0..<3_000 {
          if try a.database.perform({ try $0.query("SELECT 1 FROM realm_checkpoint").count }) > 0 { break }
          Thread.sleep(forTimeInterval: 0.01)
        }
        try Notes.put(41, "after", in: open)
      }
      let row = try scene.sql("SELECT checkpoint, version FROM realm")
      #expect(try #require(row.integer(0, 0)) > 1)
      #expect(
        try scene.sql("SELECT count(*) FROM realm_commit WHERE version <= (SELECT checkpoint FROM realm)")[0, 0] == "0")
      let expected = try a.content(path)
      #expect(Notes.texts(expected).count == 41)
      try a.wipe()
      #expect(try a.content(path) == expected)
      a.ownership.close()
    }
  }

  @Test("a realm that is moved is found at its new path by any node, one that is removed by none")
  func moves() async throws {
    try await ClusterScene.run { scene in
      let (old, new) = (try Self.path(), try Self.path("/ann/renamed"))
      let (a, b) = (try scene.node("a"), try scene.node("b"))
      try Notes.put(1, "kept", in: try a.open(old))
      try a.stores.move(old, to: new)
      #expect(Notes.texts(try b.content(new)) == [1: "kept"])
      #expect(try a.stores.history(of: old) == nil)
      #expect(throws: ServerError.self) { try a.stores.remove(new) }
      try b.stores.remove(new)
      #expect(try b.stores.history(of: new) == nil)
      #expect(try scene.sql("SELECT 1 FROM realm_commit").count == 0)
      a.ownership.close()
      b.ownership.close()
    }
  }

  @Test("when the database goes away, writes fail and nothing is half there; afterwards all goes on")
  func databaseAway() async throws {
    let scene = try await ClusterScene()
    let path = try Self.path()
    let a = try await onOwnThread { try scene.node("a") }
    try await onOwnThread { try Notes.put(1, "before", in: try a.open(path)) }
    let open = try await onOwnThread { try a.open(path) }
    await scene.postgres.kill()
    await #expect(throws: (any Error).self) {
      try await onOwnThread { try Notes.put(2, "away", in: open) }
    }
    try await scene.postgres.start()
    await #expect(throws: (any Error).self) {
      try await onOwnThread { try Notes.put(3, "still behind, as far as is known", in: open) }
    }
    await scene.remove()
  }
}
