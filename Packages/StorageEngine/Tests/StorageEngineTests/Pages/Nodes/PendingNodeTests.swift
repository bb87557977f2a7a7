import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import StorageEngine

@Suite struct PendingNodeTests {
  private func nodesInFile(_ store: Store) throws -> Int {
    Int(try store.database.reading { try $0.sqlite.integer("SELECT count(*) FROM node") } ?? -1)
  }

  @Test("a small commit leaves its nodes in the root page, and they are read after opening again")
  func reopened() throws {
    let folder = TemporaryFolder()
    var counters: Counters?
    do {
      let store = try Store.open(.file(path: folder.file()))
      counters = try Counters(store, rows: 20)
      try store.write { try counters?.increment($0) }
      #expect(try nodesInFile(store) == 0)
      #expect(try store.statistics().nodeCount > 0)
    }
    let store = try Store.open(.file(path: folder.file()))
    #expect(store.current.withLock { $0.pending.count } > 0)
    #expect(try counters?.value(store.latestSnapshot()) == 1)
    try store.verify()
  }

  @Test("nodes that outgrow the root page move to the file, and none is lost")
  func outgrown() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let (table, column) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let column = try transaction.addColumn("a", .int, to: table)
      let writer = try transaction.writer(of: table)
      for _ in 0..<20_000 { _ = try writer.insertRow() }
      return (table, column)
    }
    var random = SeededGenerator(seed: Seeds.seed ?? 5)
    var model = [Int64](repeating: 0, count: 20_000)
    var wasPending = false
    var wasSettled = false
    for round in 1...120 {
      let row = Int.random(in: 0..<model.count, using: &random)
      model[row] = Int64(round)
      try store.write { try $0.writer(of: table).setInt(Int64(round), column, row: RowKey(Int64(row))) }
      if round % 10 == 0 { store.dropCaches() }
      let isPending = store.current.withLock { !$0.pending.isEmpty }
      wasPending = wasPending || isPending
      wasSettled = wasSettled || !isPending
      #expect(try store.latestRoot(known: 0).content?.count ?? 0 < 4000)
    }
    #expect(wasPending)
    #expect(wasSettled)
    store.dropCaches()
    let snapshot = try store.latestSnapshot()
    for (row, value) in model.enumerated() {
      #expect(try snapshot.cluster(of: RowKey(Int64(row)), in: table)?.int(column, slot: row & 255) == value)
    }
    try store.verify()
  }

  @Test("a snapshot reads its pending nodes for as long as it is held, without any cache")
  func held() throws {
    let store = try Store.open(.inMemory(name: "held"))
    let counters = try Counters(store, rows: 20)
    var held: [Snapshot] = []
    for _ in 0..<300 {
      try store.write { try counters.increment($0) }
      held.append(try store.latestSnapshot())
    }
    store.dropCaches()
    for snapshot in held { #expect(try counters.value(snapshot) == Int64(snapshot.version.rawValue) - 2) }
    held = []
    // Nodes without an owner are forgotten, apart from a few.
    #expect(store.loader.source.pending.count < 4 * PendingNodes.unownedLimit)
  }

  @Test("nodes of a rolled back transaction are never read under the numbers of another process")
  func rolledBack() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 20)
    for _ in 0..<5 {
      let transaction = try store.beginWrite()
      for _ in 0..<3 { try counters.increment(transaction) }
      // As the commit does before it may fail.
      _ = try transaction.writer(of: counters.table).finish(mayBeInline: true)
      transaction.rollback()
      // Gives out the same numbers again.
      #expect(try OtherProcess("increment", folder.file(), "1").end() == 0)
      store.dropCaches()
      let snapshot = try store.latestSnapshot()
      #expect(try counters.value(snapshot) == Int64(snapshot.version.rawValue) - 2)
    }
    try store.verify()
  }

  @Test(
    "a file of an earlier format is unchanged by reading, and becomes one of this format when opened to be written"
  )
  func upgraded() throws {
    let folder = TemporaryFolder()
    var counters: Counters?
    do {
      let store = try Store.open(.file(path: folder.file()))
      counters = try Counters(store, rows: 300, padding: 32)
      // Without pending nodes and logs the root page of format 1 is that of format 6 less the last two bytes, their
      // counts.
      let root = store.current.withLock { $0 }
      #expect(root.pending.isEmpty)
      let old = try store.loader.source.closed(Array(root.encoded().dropLast(2)), for: .root(version: root.version))
      try store.database.writer.with {
        try $0.sqlite.prepare("UPDATE root SET content = ?").bind(1, old).run()
        try $0.sqlite.execute(
          """
          PRAGMA user_version = 1;
          CREATE TABLE record(name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
          CREATE TABLE log(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL);
          """)
      }
    }
    do {
      var configuration = StoreConfiguration()
      configuration.isReadOnly = true
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      #expect(try counters?.value(store.latestSnapshot()) == 0)
      #expect(try store.log("history").lastPosition() == nil)
      try store.writeCopy(toPath: folder.file("copy"))
      #expect(try Store.open(.file(path: folder.file("copy"))).verify().rows == 300)
      try store.verify()
      #expect(try store.database.reading { try $0.sqlite.integer("PRAGMA user_version") } == 1)
    }
    let store = try Store.open(.file(path: folder.file()))
    #expect(try store.log("history").lastPosition() == nil)
    try store.write { try counters?.increment($0) }
    #expect(try counters?.value(store.latestSnapshot()) == 1)
    #expect(try store.database.reading { try $0.sqlite.integer("PRAGMA user_version") } == FileLayout.format)
    try store.verify()
  }
}
