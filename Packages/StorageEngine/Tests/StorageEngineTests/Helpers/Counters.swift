import StorageEngine
import TestKit
import Testing

/// Rows that always hold one and the same number, in a table and an index.
struct Counters: Sendable {
  let table: TableID
  let column: ColumnID
  let index: IndexID

  /// - Parameter padding: bytes of noise in every row. Without, commits are small enough for the root page.
  init(_ store: Store, rows: Int, padding: Int = 0) throws {
    var random = SeededGenerator(seed: 9)
    (table, column, index) = try store.write { transaction in
      let table = try transaction.createTable("Counter")
      let column = try transaction.addColumn("value", .int, to: table)
      let index = try transaction.createIndex("value", .int, on: table)
      let noise = padding == 0 ? nil : try transaction.addColumn("noise", .data, to: table)
      let writer = try transaction.writer(of: table)
      for _ in 0..<rows {
        let row = try writer.insertRow()
        try transaction.insert(0, row: row, into: index)
        guard let noise else { continue }
        try writer.setData((0..<padding).map { _ in UInt8.random(in: 0...255, using: &random) }, noise, row: row)
      }
      return (table, column, index)
    }
  }

  func increment(_ transaction: WriteTransaction) throws {
    let writer = try transaction.writer(of: table)
    try transaction.forEachRow(of: table) { row in
      let value = try transaction.cluster(of: row, in: table)?.int(column, slot: row.slot) ?? 0
      try writer.setInt(value + 1, column, row: row)
      try transaction.remove(value, row: row, from: index)
      try transaction.insert(value + 1, row: row, into: index)
    }
  }

  /// The number that all rows hold; records an issue when they differ.
  @discardableResult func value(_ snapshot: Snapshot) throws -> Int64 {
    var values: Set<Int64> = []
    try snapshot.forEachRow(of: table) { row in
      values.insert(try snapshot.cluster(of: row, in: table)?.int(column, slot: row.slot) ?? -1)
    }
    #expect(values.count == 1)
    let value = values.first ?? -1
    #expect(try snapshot.index(index).count(value) == snapshot.rowCount(of: table))
    return value
  }
}
