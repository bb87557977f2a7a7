import ObjectServer
import Permissions
import PostgresClientTestSupport
import ServerCluster
import Testing

@Suite("commits that are too large for the record", .enabled(if: PostgresServer.isThere))
struct CommitLimitTests {
  @Test("they are refused with the reason and a remedy, nothing of them is there, and the realm goes on")
  func refused() async throws {
    try await ClusterScene.run { scene in
      let path = try RealmPath("/ann/notes")
      let a = try scene.node("a", commitLimit: 100_000)
      do {
        let open = try a.open(path)
        try Notes.put(1, "short", in: open)
        let error = #expect(throws: (any Error).self) {
          try Notes.put(2, String(repeating: "long", count: 50_000), in: open)
        }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("larger than the record of a cluster takes: 100000"), "\(words)")
        #expect(words.contains("write it in several transactions"), "\(words)")
        try Notes.put(3, "short again", in: open)
        #expect(Notes.texts(try open.file.dump()) == [1: "short", 3: "short again"])
      }
      try a.wipe()
      #expect(Notes.texts(try a.content(path)) == [1: "short", 3: "short again"])
      a.ownership.close()
    }
  }
}
