import DataModel
import TestKit
import Testing

@testable import StorageEngine

@Suite("rows that come back, and columns that come between writes")
struct RestoredRowTests {
  /// A store with rows whose cells hold the rows' numbers.
  private func store(rows: Int) throws -> (store: Store, table: TableID, int: ColumnID, text: ColumnID) {
    let store = try Store.open(.inMemory(name: "restored \(rows) \(UInt64.random(in: 0...UInt64.max))"))
    let (table, int, text) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let int = try transaction.addColumn("int", .int, to: table)
      let text = try transaction.addColumn("text", .string, isNullable: true, to: table)
      let writer = try transaction.writer(of: table)
      for number in 0..<rows {
        let row = try writer.insertRow()
        try writer.setInt(Int64(number), int, row: row)
        try writer.setString(String(repeating: "\(number)", count: number % 7 == 0 ? 900 : 1), text, row: row)
      }
      return (table, int, text)
    }
    return (store, table, int, text)
  }

  @Test("a deleted row is restored empty under its key", arguments: [1, 3, 256, 600])
  func restored(rows: Int) throws {
    let (store, table, int, text) = try store(rows: rows)
    for seed in Seeds.some(5) {
      var random = SeededGenerator(seed: seed)
      try store.write { transaction in
        let writer = try transaction.writer(of: table)
        let chosen = (0..<rows).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map { RowKey(Int64($0)) }
        for row in chosen { try writer.deleteRow(row) }
        #expect(writer.rowCount == rows - chosen.count)
        for row in chosen.shuffled(using: &random) {
          try writer.restoreRow(row)
          #expect(try transaction.cluster(of: row, in: table)?.int(int, slot: row.slot) == 0)
          #expect(try transaction.cluster(of: row, in: table)?.isNull(text, slot: row.slot) == true)
          try writer.setInt(row.rawValue, int, row: row)
        }
        #expect(writer.rowCount == rows)
        #expect(try writer.insertRow() == RowKey(transaction.nextRow(of: table).rawValue - 1))
        try writer.deleteRow(RowKey(transaction.nextRow(of: table).rawValue - 1))
      }
      try store.verify()
      let snapshot = try store.latestSnapshot()
      #expect(snapshot.rowCount(of: table) == rows)
      try snapshot.forEachRow(of: table) { row in
        let value = try snapshot.cluster(of: row, in: table)?.int(int, slot: row.slot)
        #expect(value == row.rawValue, "SEED=\(seed)")
      }
    }
  }

  @Test("a live row is not restored")
  func alive() throws {
    let (store, table, _, _) = try store(rows: 2)
    try store.write { transaction in
      let writer = try transaction.writer(of: table)
      #expect(throws: StorageError.self) { try writer.restoreRow(RowKey(1)) }
    }
  }

  @Test("many columns in one transaction copy a cluster as often as it is written")
  func columns() throws {
    let (store, table, int, _) = try store(rows: 600)
    try store.write { transaction in
      let writer = try transaction.writer(of: table)
      try writer.setInt(-1, int, row: RowKey(5))
      let epoch = transaction.clusterEpoch
      var added: [ColumnID] = []
      for number in 0..<50 { added.append(try transaction.addColumn("c\(number)", .int, to: table)) }
      let kept = try transaction.cluster(of: RowKey(5), in: table)
      #expect(try transaction.cluster(of: RowKey(5), in: table) === kept)
      #expect(kept?.columnCount == 2)
      try writer.setInt(7, added[49], row: RowKey(5))
      try writer.setInt(8, added[0], row: RowKey(300))
      #expect(transaction.clusterEpoch > epoch)
      #expect(try transaction.cluster(of: RowKey(5), in: table)?.columnCount == 52)
      #expect(try transaction.cluster(of: RowKey(5), in: table)?.int(int, slot: 5) == -1)
      try transaction.dropColumn(added[49], of: table)
      try writer.setInt(9, added[1], row: RowKey(6))
    }
    try store.verify()
    let snapshot = try store.latestSnapshot()
    let columns = try #require(snapshot.table(table)).columns.map(\.name)
    #expect(columns.count == 51)
    #expect(try snapshot.cluster(of: RowKey(5), in: table)?.int(int, slot: 5) == -1)
  }
}
