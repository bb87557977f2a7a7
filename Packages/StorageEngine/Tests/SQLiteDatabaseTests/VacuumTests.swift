import Foundation
import SQLiteDatabase
import Testing

@Suite("Vacuum") struct VacuumTests {
  @Test("the share of rows grows to about the whole, for a copy and in place")
  func progress() throws {
    let folder = NSTemporaryDirectory() + "vacuum-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try SQLiteConnection(path: folder + "/a.db")
    try connection.execute("CREATE TABLE \"odd \"\"name\"(id INTEGER PRIMARY KEY, content BLOB)")
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO "odd ""name" SELECT i, zeroblob(100) FROM n
      """)
    for path in [folder + "/b.db", nil] {
      var shares: [Double] = []
      try connection.vacuum(into: path) { shares.append($0) }
      #expect(shares.count > 10)
      #expect(shares == shares.sorted())
      #expect(shares.allSatisfy { $0 > 0 && $0 <= 1 })
      #expect(shares.last ?? 0 > 0.7)
    }
    let copy = try SQLiteConnection(path: folder + "/b.db")
    #expect(try copy.integer("SELECT count(*) FROM \"odd \"\"name\"") == 20_000)
  }
}
