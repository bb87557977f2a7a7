import Testing

@testable import PostgresConnector

@Suite("snapshots of the database")
struct DatabaseSnapshotTests {
  @Test(
    "a transaction is shown once it has begun and is not under way",
    arguments: [
      ("100:104:100,102", 99, true), ("100:104:100,102", 100, false), ("100:104:100,102", 101, true),
      ("100:104:100,102", 102, false), ("100:104:100,102", 103, true), ("100:104:100,102", 104, false),
      ("100:100:", 99, true), ("100:100:", 100, false),
      // The numbers of a database are 64 bits wide, those of its log 32.
      ("4294967290:4294967300:4294967295,4294967297", 4_294_967_294, true),
      ("4294967290:4294967300:4294967295,4294967297", 4_294_967_295, false),
      ("4294967290:4294967300:4294967295,4294967297", 0, true),
      ("4294967290:4294967300:4294967295,4294967297", 1, false),
      ("4294967290:4294967300:4294967295,4294967297", 4, false),
    ] as [(String, UInt32, Bool)])
  func shows(_ text: String, _ transaction: UInt32, _ isShown: Bool) {
    #expect(DatabaseSnapshot(text)?.shows(transaction) == isShown)
  }

  @Test("another text is none", arguments: ["", "1:2", "1:x:", "1:2:3,x", "1:2:3:4"])
  func texts(_ text: String) { #expect(DatabaseSnapshot(text) == nil) }
}
