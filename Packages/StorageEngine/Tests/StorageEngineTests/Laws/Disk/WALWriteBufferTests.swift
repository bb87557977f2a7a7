import CSimulatedDisk
import Foundation
import SQLiteDatabase
import Testing

// Within the suite of the disk: one recording and one plan of failures per process, so one test at a time.
extension DiskTests { @Suite struct WriteBuffer {} }

/// A database on a recording disk, whose commits gather their writes.
private final class Fixture {
  let connection: SQLiteConnection
  let buffer: WALWriteBuffer
  private let folder = TemporaryFolder()

  init(synchronous: String = "FULL") throws {
    try #require(simulated_disk_register() == 0)
    connection = try SQLiteConnection(path: folder.file(), fileSystem: SIMULATED_DISK_NAME)
    _ = try connection.text("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(synchronous); CREATE TABLE t(id INTEGER PRIMARY KEY, content BLOB)")
    buffer = try WALWriteBuffer(connection)
    simulated_disk_record(1)
  }

  deinit {
    simulated_disk_fail(0, 0, 0, 0, 0)
    simulated_disk_record(0)
  }

  func other() throws -> SQLiteConnection {
    try SQLiteConnection(path: folder.file(), fileSystem: SIMULATED_DISK_NAME)
  }

  func begin(_ rows: Range<Int>) throws {
    try connection.execute("BEGIN IMMEDIATE")
    // A page each, and some above them.
    for row in rows { try connection.execute("INSERT INTO t VALUES (\(row), zeroblob(3000))") }
  }

  func commit() throws { try buffer.gathering { try connection.execute("COMMIT") } }

  func insert(_ rows: Range<Int>) throws {
    try begin(rows)
    do { try commit() } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// Kinds of operations on the log since recording began.
  var done: [Int] {
    (0..<simulated_disk_event_count()).map(simulated_disk_event_at)
      .filter { $0.path.map { String(cString: $0).hasSuffix("-wal") } ?? false }.map { Int($0.kind) }
  }
}

private let write = Int(SIMULATED_DISK_WRITE.rawValue)
private let sync = Int(SIMULATED_DISK_SYNC.rawValue)

extension DiskTests.WriteBuffer {
  @Test("a commit of some pages is one write and one sync; where it is not synced, two writes a page")
  func oneWrite() throws {
    do {
      let fixture = try Fixture()
      try fixture.insert(0..<4)
      #expect(fixture.done == [write, sync])
      #expect(try fixture.other().integer("SELECT count(*) FROM t") == 4)
    }
    let unsynced = try Fixture(synchronous: "NORMAL")
    try unsynced.insert(0..<4)
    #expect(unsynced.done.filter { $0 == write }.count >= 8)
    #expect(try unsynced.other().integer("SELECT count(*) FROM t") == 4)
  }

  @Test("early writes of a transaction are read by itself, and by others after its commit")
  func spilled() throws {
    let fixture = try Fixture()
    try fixture.connection.execute("PRAGMA cache_size = 10")
    try fixture.begin(0..<500)
    for row in stride(from: 0, to: 500, by: 7) {
      try fixture.connection.execute("UPDATE t SET content = x'01' WHERE id = \(row)")
    }
    let sum = "SELECT sum(length(content)) FROM t"
    #expect(try fixture.connection.integer(sum) == 3000 * 428 + 72)
    #expect(try fixture.other().integer("SELECT count(*) FROM t") == 0)
    try fixture.commit()
    let other = try fixture.other()
    #expect(try other.integer(sum) == 3000 * 428 + 72)
    #expect(try other.text("PRAGMA integrity_check") == "ok")
  }

  @Test("dropped writes never overwrite those of other connections")
  func givenUp() throws {
    let fixture = try Fixture()
    let other = try fixture.other()
    try fixture.connection.execute("PRAGMA cache_size = 10")
    var preallocation = WALPreallocation(limit: 1 << 24)
    for (round, count) in [0, 0, 0, 0, 14, 90].enumerated() {
      // Zeros are written to the log, and pages, too, when there are many, behind its content.
      try fixture.connection.execute("BEGIN IMMEDIATE")
      preallocation.extend(fixture.connection)
      for row in 0..<count { try fixture.connection.execute("INSERT INTO t VALUES (\(1000 + row), zeroblob(3000))") }
      try fixture.connection.execute("ROLLBACK")
      try other.execute("INSERT INTO t VALUES (\(round * 2), NULL)")
      #expect(try fixture.connection.integer("SELECT count(*) FROM t") == Int64(round * 2 + 1))
      try fixture.insert(round * 2 + 1..<round * 2 + 2)
      #expect(try other.integer("SELECT count(*) FROM t") == Int64(round * 2 + 2))
    }
    #expect(try fixture.other().text("PRAGMA integrity_check") == "ok")
  }

  @Test("a refused write or sync fails the commit, torn or not, and no acknowledged commit is lost")
  func refused() throws {
    for (kind, torn) in [(write, 0), (write, 1), (sync, 0)] {
      let fixture = try Fixture()
      let other = try fixture.other()
      try fixture.insert(0..<3)
      // SQLITE_FULL.
      simulated_disk_fail(Int32(kind), 0, 13, 0, Int32(torn))
      #expect(throws: SQLiteError.self) { try fixture.insert(3..<6) }
      #expect(simulated_disk_failures() == 1)
      #expect(try other.integer("SELECT count(*) FROM t") == 3)
      try other.execute("INSERT INTO t VALUES (3, zeroblob(3000))")
      try fixture.insert(4..<6)
      #expect(try fixture.other().integer("SELECT count(*) FROM t") == 6)
      #expect(try fixture.other().text("PRAGMA integrity_check") == "ok")
    }
  }

  @Test("a database in memory has no log, and commits")
  func inMemory() throws {
    let memory = try SQLiteConnection(path: ":memory:")
    let buffer = try WALWriteBuffer(memory)
    try memory.execute("BEGIN; CREATE TABLE t(id); INSERT INTO t VALUES (1)")
    try buffer.gathering { try memory.execute("COMMIT") }
    #expect(try memory.integer("SELECT count(*) FROM t") == 1)
  }
}
