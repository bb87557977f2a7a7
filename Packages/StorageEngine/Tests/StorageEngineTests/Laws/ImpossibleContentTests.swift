import SQLiteDatabase
import TestKit
import Testing

@testable import StorageEngine

/// Impossible content that passes every checksum: no store writes it.
@Suite struct ImpossibleContentTests {
  /// Expects the error of damage, and that the process goes on.
  private func expectDamage<R>(_ comment: Comment, _ body: () throws -> R) {
    let error = #expect(throws: StorageError.self, comment) { try body() }
    #expect(error?.code == .corrupt, comment)
  }

  @Test("lists of retired nodes whose numbers leave the range, or of no version")
  func retired() {
    var writer = NodeWriter()
    writer.count(9)
    for _ in 0..<9 { writer.varint(1 << 60) }
    expectDamage("ids") { try RetiredNodes.ids(writer.bytes) }
    expectDamage("version 0") {
      try RetiredNodes.decode(RetiredNodes.encode([RetiredNodes(version: 0, ids: [1, 2])]))
    }
  }

  private func table(
    nextColumn: Int = 1, column: Int = 0, index: Int = 0, nextRow: Int64 = 0
  ) -> TableNode {
    TableNode(
      name: "T", nextColumn: nextColumn,
      columns: [
        ColumnDefinition(id: ColumnID(column), name: "a", type: .int, isNullable: false, target: nil, attributes: 0)
      ], indexes: [IndexDefinition(id: IndexID(index), name: "i", kind: .int)],
      states: [.int(TreeRoot(), TreeDelta())], rowCount: 0, nextRow: nextRow, clusterMap: ClusterMap.Description())
  }

  private func root(_ store: Store, _ table: TableNode, nextNode: Int64 = 10, nextIndex: Int = 1) throws -> RootPage {
    var writer = NodeWriter()
    writer.count(Int(nextNode))
    writer.count(1)
    writer.count(nextIndex)
    writer.count(1)
    let definition = TableDefinition(id: TableID(0), name: table.name, columns: table.columns, indexes: table.indexes)
    let content = TableNode.content(
      of: definition, nextColumn: table.nextColumn, rowCount: table.rowCount, nextRow: table.nextRow, table.clusterMap,
      table.states)
    writer.count(0)
    writer.count(1)
    writer.count(content.count)
    writer.raw(content)
    writer.count(0)
    writer.count(0)
    return try RootPage.decode(writer.bytes, version: 2, loader: store.loader, earlier: nil)
  }

  @Test("tables and roots whose numbers contradict each other")
  func tables() throws {
    let store = try Store.open(.inMemory(name: "impossible tables"))
    #expect(try root(store, table()).names["T"] == TableID(0))
    expectDamage("a column beyond the next") { try root(store, table(column: 1)) }
    expectDamage("rows without a cluster map") { try root(store, table(nextRow: 1 << 50)) }
    expectDamage("an index beyond the next") { try root(store, table(index: 1)) }
    expectDamage("too many indexes") { try root(store, table(), nextIndex: 1 << 40) }
    expectDamage("no number is left") { try root(store, table(), nextNode: .max) }
  }

  @Test("lists whose count exceeds their elements")
  func lists() throws {
    let store = try Store.open(.inMemory(name: "impossible lists"))
    let transaction = try store.beginWrite()
    defer { transaction.rollback() }
    let nodes = transaction.state.store
    let leaf = ListNode()
    leaf.heap = [0]
    leaf.ends = [1]
    let id = try nodes.write(leaf.encoded()).id
    let cell = ListCell.tree(TreeRoot(node: id, count: 1 << 47))
    expectDamage("the count of the cell") { try StoredList(cell, loader: store.loader).elements() }
    let inner = ListNode()
    inner.level = 1
    inner.children = Array(repeating: id, count: 60_000)
    inner.counts = Array(repeating: 1 << 47, count: 60_000)
    let top = try nodes.write(inner.encoded()).id
    expectDamage("counts of pages") {
      try StoredList(.tree(TreeRoot(node: top, count: 1 << 47)), loader: store.loader).elements()
    }
  }

  @Test("a version that no store counts to")
  func version() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    for version in [0, -1, .min, .max] as [Int64] {
      try store.database.writer.with {
        try $0.sqlite.prepare("UPDATE root SET version = ?").bind(1, version).run()
      }
      expectDamage("version \(version)") { try store.latestSnapshot() }
      expectDamage("version \(version)") { try store.versionCount() }
    }
  }

  /// A store of two tables of 700 rows, of which the first has the clusters of the second.
  private func exchanged(_ folder: TemporaryFolder) throws -> Store {
    let whole = folder.file("whole.realm")
    try {
      let store = try Store.open(.file(path: folder.file()))
      try store.write { transaction in
        for (name, type) in [("A", ColumnType.int), ("B", .bool)] {
          let table = try transaction.createTable(name)
          let column = try transaction.addColumn("value", type, to: table)
          let writer = try transaction.writer(of: table)
          for number in 0..<700 {
            let row = try writer.insertRow()
            if type == .int {
              try writer.setInt(Int64(number * number) &* 0x1234_5678_9ABC_DEF1, column, row: row)
            } else {
              try writer.setBool(number % 3 == 0, column, row: row)
            }
          }
        }
      }
      try store.writeCopy(toPath: whole)
    }()
    let nodes = try {
      let snapshot = try Store.open(.file(path: whole)).latestSnapshot()
      return try (0..<3).map { index in
        try (0..<2).map { try #require(try snapshot.cluster(index, of: TableID($0))).node }
      }
    }()
    try {
      let connection = try SQLiteConnection(path: whole, mode: .readWrite)
      func content(_ id: Int64) throws -> [UInt8] {
        let rows = try connection.prepare("SELECT content FROM node WHERE id = ?").bind(1, id)
        return try rows.step() ? Array(rows.bytes(at: 0).dropLast(NodeChecksum.byteCount)) : []
      }
      for pair in nodes {
        try connection.prepare("UPDATE node SET content = ? WHERE id = ?")
          .bind(1, NodeChecksum.closed(content(pair[1]), pair[0])).bind(2, pair[0]).run()
      }
    }()
    return try Store.open(.file(path: whole))
  }

  @Test("a cluster whose columns are not those of its table is neither read nor written, however often it is asked for")
  func columns() throws {
    let folder = TemporaryFolder()
    let store = try exchanged(folder)
    let snapshot = try store.latestSnapshot()
    for _ in 0..<3 {
      expectDamage("read") { try snapshot.cluster(0, of: TableID(0)) }
      #expect(try snapshot.cluster(0, of: TableID(1))?.bool(ColumnID(0), slot: 3) == true)
    }
    try store.write { transaction in
      let writer = try transaction.writer(of: TableID(0))
      for _ in 0..<2 { expectDamage("write") { try writer.setInt(7, ColumnID(0), row: RowKey(5)) } }
      expectDamage("delete") { try writer.deleteRow(RowKey(299)) }
      let other = try transaction.writer(of: TableID(1))
      try other.setBool(true, ColumnID(0), row: RowKey(1))
      expectDamage("no such row") { try other.setBool(true, ColumnID(0), row: RowKey(710)) }
      expectDamage("no such cluster") { try other.deleteRow(RowKey(100_000)) }
    }
    expectDamage("after a commit") { try store.latestSnapshot().cluster(1, of: TableID(0)) }
  }
}
