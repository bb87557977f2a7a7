import Foundation
import Testing

@testable import SQLiteDatabase

@Suite struct SQLiteDatabaseTests {
  @Test("values come back as they were bound")
  func roundTrip() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a, b, c, d, e)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
    try insert.bind(1, -7).bind(2, 1.5).bind(3, "zażółć").bind(4, [1, 2, 3] as [UInt8]).bindNull(5).run()
    let select = try connection.prepare("SELECT * FROM t")
    #expect(try select.step())
    #expect(select.int(at: 0) == -7)
    #expect(select.double(at: 1) == 1.5)
    #expect(select.text(at: 2) == "zażółć")
    #expect(select.bytes(at: 3) == [1, 2, 3])
    #expect(select.isNull(at: 4))
    #expect(try !select.step())
  }

  @Test("an empty text and an empty blob are not null")
  func empties() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    let select = try connection.prepare("SELECT ? IS NULL, ? IS NULL, ? IS NULL")
    try select.bind(1, "").bind(2, [] as [UInt8]).bindUnsafeBytes(3, UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(try select.step())
    #expect((0..<3).map { select.int(at: $0) } == [0, 0, 0])
  }

  @Test("a transaction whose body throws leaves nothing")
  func rollback() throws {
    struct Stop: Error {}
    let connection = try SQLiteConnection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a)")
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    #expect(!connection.isInTransaction)
  }

  @Test("a broken statement gives a typed error with its text")
  func syntaxError() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    let error = #expect(throws: SQLiteError.self) { try connection.execute("SELEC 1") }
    #expect(error?.kind == .other)
    #expect(error?.sql == "SELEC 1")
  }

  private func newFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("the head of a file is read as it stands, and reading it makes no companions")
  func fileHead() throws {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("file")
    for length in [0, 1, 15, 16, 99, 100, 101, 5000] {
      let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      try Data(content).write(to: file)
      #expect(try SQLiteConnection(path: file.path).fileHead(100) == Array(content.prefix(100)))
      #expect(try Data(contentsOf: file) == Data(content))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    #expect(try SQLiteConnection(path: ":memory:").fileHead(100).isEmpty)
  }

  @Test("a deleted or replaced file counts as moved")
  func hasMoved() throws {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("file")
    let connection = try SQLiteConnection(path: file.path)
    #expect(!connection.hasMoved)
    try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("other"))
    #expect(connection.hasMoved)
    try Data().write(to: file)
    #expect(connection.hasMoved)
    #expect(try !SQLiteConnection(path: file.path).hasMoved)
    #expect(try !SQLiteConnection(path: ":memory:").hasMoved)
  }
}
