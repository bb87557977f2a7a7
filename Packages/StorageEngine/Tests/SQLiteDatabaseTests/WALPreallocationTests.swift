import Foundation
import Testing

@testable import SQLiteDatabase

@Suite struct WALPreallocationTests {
  /// A database with a write-ahead log in a folder of its own.
  private final class Fixture {
    let path: String
    let connection: SQLiteConnection
    private let folder = NSTemporaryDirectory() + "preallocation-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      path = folder + "/test.sqlite"
      connection = try SQLiteConnection(path: path)
      _ = try connection.text("PRAGMA journal_mode = WAL")
      try connection.execute("PRAGMA synchronous = OFF")
      try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, content BLOB)")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var walSize: Int {
      get throws {
        (try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber)?.intValue ?? 0
      }
    }

    func insert(_ id: Int, after prepare: () -> Void) throws {
      try connection.transaction {
        prepare()
        try connection.execute("INSERT INTO t VALUES (\(id), zeroblob(100))")
      }
    }
  }

  @Test("commits overwrite zeros, so the file of the log grows a few times only")
  func sizes() throws {
    let fixture = try Fixture()
    var preallocation = WALPreallocation(limit: 1 << 24)
    var sizes: Set<Int> = []
    for id in 0..<120 {
      try fixture.insert(id) { preallocation.extend(fixture.connection) }
      sizes.insert(try fixture.walSize)
    }
    // Without zeros there would be 120 sizes.
    #expect(sizes.count <= 20)
  }

  @Test("a log above the limit holds its frames alone")
  func limit() throws {
    let fixture = try Fixture()
    var preallocation = WALPreallocation(limit: 1)
    for id in 0..<20 {
      try fixture.insert(id) { preallocation.extend(fixture.connection) }
      // A header, and pages with a frame header each.
      #expect((try fixture.walSize - 32) % (4096 + 24) == 0)
    }
  }

  @Test("the content of a log with zeros at its end is read after a crash, by the first connection that opens it")
  func recovery() throws {
    let fixture = try Fixture()
    var preallocation = WALPreallocation(limit: 1 << 24)
    for id in 0..<20 { try fixture.insert(id) { preallocation.extend(fixture.connection) } }
    // The state after a crash: without the shared index, which SQLite rebuilds from the log.
    let copy = fixture.path + "-copy"
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    try FileManager.default.copyItem(atPath: fixture.path + "-wal", toPath: copy + "-wal")
    let connection = try SQLiteConnection(path: copy)
    #expect(try connection.integer("SELECT count(*) FROM t") == 20)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    try connection.execute("INSERT INTO t VALUES (20, zeroblob(100))")
    #expect(try connection.integer("SELECT count(*) FROM t") == 21)
  }

  @Test("a database in memory has no log and gets no zeros")
  func inMemory() throws {
    let connection = try SQLiteConnection(path: ":memory:")
    var preallocation = WALPreallocation(limit: 1 << 24)
    try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    for id in 0..<3 {
      try connection.transaction {
        preallocation.extend(connection)
        try connection.execute("INSERT INTO t VALUES (\(id))")
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 3)
  }
}
