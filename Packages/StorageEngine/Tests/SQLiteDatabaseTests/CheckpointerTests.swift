import Foundation
import Testing

@testable import SQLiteDatabase

@Suite struct CheckpointerTests {
  /// A database with a write-ahead log, and two connections to it.
  private final class Fixture {
    let path: String
    let writer: SQLiteConnection
    let second: SQLiteConnection
    var checkpointer = Checkpointer(limit: 40)
    private let folder = NSTemporaryDirectory() + "checkpoints-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      path = folder + "/test.sqlite"
      writer = try SQLiteConnection(path: path)
      _ = try writer.text("PRAGMA journal_mode = WAL")
      try writer.execute("PRAGMA synchronous = OFF; CREATE TABLE t(id INTEGER PRIMARY KEY, content BLOB)")
      second = try SQLiteConnection(path: path, mode: .readWrite)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var walSize: Int {
      get throws {
        (try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber)?.intValue ?? 0
      }
    }

    func insert(_ count: Int, into connection: SQLiteConnection? = nil) throws {
      for _ in 0..<count { try (connection ?? writer).execute("INSERT INTO t(content) VALUES (zeroblob(2000))") }
    }

    func commit() throws {
      try insert(1)
      checkpointer.runIfDue(writer) { try $0(second) }
    }
  }

  @Test("a connection never checkpoints by itself, however long its log is")
  func nothingByItself() throws {
    let fixture = try Fixture()
    try fixture.insert(1500)
    #expect(fixture.writer.walPages > 2500)
  }

  @Test("commits keep the log below its limit and one commit more")
  func bound() throws {
    let fixture = try Fixture()
    for _ in 0..<500 {
      try fixture.commit()
      #expect(fixture.writer.walPages <= 44)
    }
    #expect(try fixture.walSize <= 44 * Int(WALPreallocation.frame) + 32)
  }

  @Test("a log held back by a reader is moved when the reader ends, after few attempts")
  func reader() throws {
    let fixture = try Fixture()
    let reader = try SQLiteConnection(path: fixture.path, mode: .readWrite)
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    var tries = 0
    for _ in 0..<100 {
      try fixture.insert(1)
      fixture.checkpointer.runIfDue(fixture.writer) {
        tries += 1
        try $0(fixture.second)
      }
    }
    #expect(fixture.writer.walPages > 100)
    #expect(tries > 2)
    // With a limit of 40: at most one attempt per two pages.
    #expect(tries <= (fixture.writer.walPages - 40) / 2 + 1)
    try reader.execute("COMMIT")
    for _ in 0..<4 { try fixture.commit() }
    #expect(fixture.writer.walPages < 40)
  }

  @Test("no checkpoint runs while another connection writes, and the commit does not wait for one")
  func otherWriter() throws {
    let fixture = try Fixture()
    fixture.writer.setBusyTimeout(.seconds(3600))
    try fixture.insert(60)
    try fixture.second.execute("BEGIN IMMEDIATE")
    let third = try SQLiteConnection(path: fixture.path, mode: .readWrite)
    fixture.checkpointer.runIfDue(fixture.writer) { try $0(third) }
    try fixture.second.execute("ROLLBACK")
    let before = fixture.writer.walPages
    try fixture.insert(1)
    #expect(fixture.writer.walPages > before)
    fixture.checkpointer.runIfDue(fixture.writer) { try $0(third) }
    try fixture.insert(1)
    #expect(fixture.writer.walPages < 40)
  }

  @Test("no connection commits while a checkpoint runs, since the writer holds the lock")
  func lock() throws {
    let fixture = try Fixture()
    let third = try SQLiteConnection(path: fixture.path, mode: .readWrite)
    try fixture.insert(60)
    #expect(try fixture.writer.beginImmediate(waits: true))
    #expect(throws: SQLiteError.self) { try fixture.insert(1, into: third) }
    _ = try fixture.second.integer("PRAGMA schema_version")
    #expect(try fixture.second.passiveCheckpoint()?.isComplete == true)
    try fixture.writer.execute("ROLLBACK")
    try fixture.insert(1, into: third)
    #expect(third.walPages < 40)
  }

  @Test("emptying a log frees its room and keeps its content")
  func empty() throws {
    let fixture = try Fixture()
    try fixture.insert(300)
    #expect(try fixture.walSize > 1 << 20)
    try Checkpointer.empty(fixture.writer, fixture.second)
    #expect(try fixture.walSize <= 2 * Int(WALPreallocation.frame) + 32)
    #expect(try fixture.second.integer("SELECT count(*) FROM t") == 300)
  }

  // A checkpoint elsewhere would run without the lock.
  @Test("only the checkpointer asks SQLite for a checkpoint")
  func onePlace() throws {
    let packages = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
    for package in try FileManager.default.contentsOfDirectory(atPath: String(packages)) {
      let sources = "\(packages)/\(package)/Sources"
      for file in FileManager.default.enumerator(atPath: sources)?.compactMap({ $0 as? String }) ?? []
      where file.hasSuffix(".swift") && !file.contains("StorageExerciser/") {
        let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
        #expect(!text.contains("wal_autocheckpoint"), "\(package): \(file)")
        #expect(!text.contains("PRAGMA wal_checkpoint"), "\(package): \(file)")
        #expect(
          !text.contains("sqlite3_wal_checkpoint") || file.hasSuffix("SQLiteConnection.swift"), "\(package): \(file)")
      }
    }
  }
}
