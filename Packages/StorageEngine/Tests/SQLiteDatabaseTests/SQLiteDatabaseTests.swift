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
}
