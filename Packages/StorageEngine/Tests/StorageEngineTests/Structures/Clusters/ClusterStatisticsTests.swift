import TestKit
import Testing

@testable import StorageEngine

/// Minimum and maximum of each column, by which queries skip clusters, are those of the cells after any writes.
@Suite struct ClusterStatisticsTests {
  @Test("statistics are those of the cells after any changes", arguments: 0..<8 as Range<UInt64>)
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    var store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let (table, number, ratio, date) = try store.write { transaction in
      let table = try transaction.createTable("T")
      return (
        table, try transaction.addColumn("number", .int, isNullable: true, to: table),
        try transaction.addColumn("ratio", .double, to: table), try transaction.addColumn("date", .timestamp, to: table)
      )
    }
    var extra: ColumnID?
    var rows: [RowKey] = []
    for round in 0..<60 {
      try store.write { transaction in
        let writer = try transaction.writer(of: table)
        let most = round % 7 == 0 ? 80 : 3
        for _ in 0..<Int.random(in: 1...most, using: &random) {
          let kind = Int.random(in: 0..<8, using: &random)
          if rows.isEmpty || kind == 0 { rows.append(try writer.insertRow()) }
          let place = Int.random(in: 0..<rows.count, using: &random)
          let row = rows[place]
          switch kind {
          case 1, 2: try writer.setInt(Int64.random(in: -1000...1000, using: &random), number, row: row)
          case 3: try writer.setDouble(Double.random(in: -10...10, using: &random), ratio, row: row)
          case 4:
            let seconds = Int64.random(in: 0...1 << 40, using: &random)
            try writer.setTimestamp(.init(seconds: seconds, nanoseconds: 5), date, row: row)
          case 5: try writer.setNull(number, row: row)
          case 6 where rows.count > 20:
            try writer.deleteRow(row)
            rows.remove(at: place)
          default: break
          }
        }
        if round == 30 { extra = try transaction.addColumn("extra", .int, to: table) }
        // Statistics within a transaction may be unknown, but not out of date.
        try check(transaction, table, number, ratio, date, extra, isCommitted: false)
      }
      if random.oneIn(5) { store.dropCaches() }
      try check(store.latestSnapshot(), table, number, ratio, date, extra)
    }
    store = try Store.open(.file(path: folder.file()), configuration: configuration)
    try check(store.latestSnapshot(), table, number, ratio, date, extra)
  }

  private func check(
    _ snapshot: any StorageReader, _ table: TableID, _ number: ColumnID, _ ratio: ColumnID, _ date: ColumnID,
    _ extra: ColumnID?, isCommitted: Bool = true
  ) throws {
    for index in 0..<snapshot.clusterCount(of: table) {
      guard let cluster = try snapshot.cluster(index, of: table) else { continue }
      func expect<T: Comparable>(_ column: ColumnID, _ value: (Int) -> T, _ decoded: (UInt64) -> T) throws {
        guard let column = cluster.column(column) else { return }
        let values = (0..<256).filter {
          cluster.isAlive($0) && column.nulls[$0 >> 6] >> UInt64($0 & 63) & 1 == 0
        }.map(value)
        if isCommitted { #expect(column.hasStatistics == !values.isEmpty) }
        guard column.hasStatistics, let least = values.min(), let most = values.max() else { return }
        #expect(decoded(column.minimumBits) == least)
        #expect(decoded(column.maximumBits) == most)
      }
      func integers(_ column: ColumnID) throws {
        guard let values = cluster.column(column)?.values.assumingMemoryBound(to: Int64.self) else { return }
        try expect(column, { values[$0] }, { Int64(bitPattern: $0) })
      }
      try integers(number)
      try integers(date)
      if let extra { try integers(extra) }
      if let values = cluster.column(ratio)?.values.assumingMemoryBound(to: Double.self) {
        try expect(ratio, { values[$0] }, { Double(bitPattern: $0) })
      }
    }
  }
}
