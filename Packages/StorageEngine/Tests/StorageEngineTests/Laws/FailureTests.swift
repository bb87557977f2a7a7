import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import StorageEngine

@Suite struct FailureTests {
  @Test("a commit on a full disk fails with a typed error and leaves the version before")
  func diskFull() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    func limit(_ pages: String) throws {
      try store.database.writer.with { _ = try $0.sqlite.integer("PRAGMA max_page_count = \(pages)") }
    }
    let before = try store.latestSnapshot().version
    try limit("1")
    let error = #expect(throws: StorageError.self) {
      try store.write { transaction in
        let writer = try transaction.writer(of: counters.table)
        for _ in 0..<100_000 { _ = try writer.insertRow() }
      }
    }
    #expect(error?.code == .diskFull)
    #expect(try store.latestSnapshot().version == before)
    #expect(try counters.value(store.latestSnapshot()) == 0)
    try limit("1000000")
    try store.write { try counters.increment($0) }
    #expect(try counters.value(store.latestSnapshot()) == 1)
    try store.verify()
  }

  @Test("one table more, or one column more, than a file can hold is a typed error, and the transaction goes on")
  func schemaLimits() throws {
    let store = try Store.open(.inMemory(name: "schema limits"))
    try store.write { transaction in
      let first = try transaction.createTable("0")
      for number in 0..<4_096 { _ = try transaction.addColumn("\(number)", .int, to: first) }
      let column = #expect(throws: StorageError.self) { try transaction.addColumn("more", .int, to: first) }
      #expect(column?.code == .tooLarge)
      for number in 1..<1 << 14 { try transaction.dropTable(try transaction.createTable("\(number)")) }
      let table = #expect(throws: StorageError.self) { try transaction.createTable("more") }
      #expect(table?.code == .tooLarge)
      _ = try transaction.writer(of: first).insertRow()
    }
    #expect(try store.latestSnapshot().tables.count == 1)
    try store.verify()
  }

  @Test("a writer of another process that takes too long is a typed error")
  func locked() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(20)
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: StorageError.self) { try store.beginWrite() }
    #expect(error?.code == .locked)
    _ = try store.latestSnapshot()
    try other.execute("ROLLBACK")
    try store.beginWrite().rollback()
  }

  @Test("a file of a newer release is refused")
  func newerFormat() throws {
    let folder = TemporaryFolder()
    _ = try Store.open(.file(path: folder.file())).latestSnapshot()
    try SQLiteConnection(path: folder.file()).execute("PRAGMA user_version = 99")
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file())) }
    #expect(error?.code == .newerFormat)
  }

  @Test("some other database of SQLite is refused")
  func otherDatabase() throws {
    let folder = TemporaryFolder()
    try SQLiteConnection(path: folder.file()).execute("CREATE TABLE t(a)")
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file())) }
    #expect(error?.code == .notAStore)
  }

  @Test(
    "a missing and a foreign node are found by reading and by verifying",
    arguments: ["DELETE FROM node WHERE id = ", "INSERT INTO node VALUES (99999, x'00') -- "])
  func nodes(statement: String) throws {
    let folder = TemporaryFolder()
    do {
      let store = try Store.open(.file(path: folder.file()))
      _ = try Counters(store, rows: 300, padding: 32)
    }
    do {
      let connection = try SQLiteConnection(path: folder.file())
      let node = try connection.integer("SELECT min(id) FROM node") ?? 0
      try connection.execute(statement + "\(node)")
    }
    let store = try Store.open(.file(path: folder.file()))
    let error = #expect(throws: StorageError.self) { try store.verify() }
    #expect(error?.code == .corrupt)
  }

  @Test("a transaction that is dropped or rolled back leaves nothing and releases the writer lock")
  func dropped() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    for _ in 0..<3 {
      let transaction = try store.beginWrite()
      try counters.increment(transaction)
      _ = try transaction.createTable("other")
    }
    #expect(try counters.value(store.latestSnapshot()) == 0)
    #expect(try store.latestSnapshot().tables.count == 1)
    try store.verify()
  }

  @Test("early writes of a large transaction are invisible to others, and vanish with a rollback")
  func early() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let table = try store.write { transaction in
      let table = try transaction.createTable("T")
      _ = try transaction.addColumn("a", .int, to: table)
      return table
    }
    let transaction = try store.beginWrite()
    let writer = try transaction.writer(of: table)
    let column = try #require(transaction.table(table)?.columns.first).id
    for number in 0..<60_000 { try writer.setInt(Int64(number), column, row: try writer.insertRow()) }
    // Cluster 0 is in the file by now, and is still read and changed.
    #expect(try transaction.cluster(0, of: table)?.int(column, slot: 7) == 7)
    try writer.setInt(-7, column, row: RowKey(7))
    #expect(try transaction.cluster(0, of: table)?.int(column, slot: 7) == -7)
    #expect(try store.latestSnapshot().rowCount(of: table) == 0)
    transaction.rollback()
    try store.verify()
    #expect(try store.latestSnapshot().rowCount(of: table) == 0)
  }

  @Test("a copy is a store with the same content")
  func copy() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    try store.write { try counters.increment($0) }
    try store.writeCopy(toPath: folder.file("copy.realm"))
    let copy = try Store.open(.file(path: folder.file("copy.realm")))
    #expect(try counters.value(copy.latestSnapshot()) == 1)
    try copy.verify()
    try copy.write { try counters.increment($0) }
    #expect(try counters.value(copy.latestSnapshot()) == 2)
  }
}

extension FailureTests {
  // After SQLite rolled back by itself, later statements must not commit one by one.
  @Test("a transaction that goes on after the disk was full commits nothing, and says why", arguments: [false, true])
  func goingOn(hasLog: Bool) throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    func limit(_ pages: String) throws {
      try store.database.writer.with { _ = try $0.sqlite.integer("PRAGMA max_page_count = \(pages)") }
    }
    try limit("1")
    let transaction = try store.beginWrite()
    let writer = try transaction.writer(of: counters.table)
    var last = RowKey(0)
    for number in 0..<100_000 {
      last = try writer.insertRow()
      try writer.setInt(Int64(number), counters.column, row: last)
    }
    #expect(try transaction.cluster(of: last, in: counters.table)?.int(counters.column, slot: last.slot) == 99_999)
    try limit("1000000")
    if hasLog {
      let error = #expect(throws: StorageError.self) { try transaction.log("history").append([1]) }
      #expect(error?.code == .diskFull)
    }
    let error = #expect(throws: StorageError.self) { try transaction.commit() }
    #expect(error?.code == .diskFull)
    #expect(try store.latestSnapshot().rowCount(of: counters.table) == 300)
    #expect(try store.log("history").lastPosition() == nil)
    try store.verify()
    try store.write { try counters.increment($0) }
    #expect(try counters.value(store.latestSnapshot()) == 1)
    try store.verify()
  }
}
