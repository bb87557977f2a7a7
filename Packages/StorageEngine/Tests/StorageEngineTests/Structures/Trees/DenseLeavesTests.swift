import TestKit
import Testing

@testable import StorageEngine

/// Look-ups that follow from the separators of an index alone, and prefetched addresses.
@Suite struct DenseLeavesTests {
  @Test("keys in dense leaves, beside gaps and of several rows are found as in a dictionary", arguments: Seeds.some(8))
  func runs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.open(.inMemory(name: "runs\(seed)"))
    let index = try store.write { transaction in
      try transaction.createIndex("i", .int, on: try transaction.createTable("T"))
    }
    var rows: [Int64: Set<Int64>] = [:]
    // Runs of numbers, some of whose rows grow with them; numbers around the ends of leaves get more rows and lose
    // some.
    var number = Int64.random(in: -500...500, using: &random)
    var row = Int64(0)
    for _ in 0..<6 {
      let transaction = try store.beginWrite()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        number += Int64.random(in: 1...3, using: &random)
        row += Int64.random(in: 1...3, using: &random)
        for _ in 0..<Int.random(in: 1...1_200, using: &random) {
          try transaction.insert(number, row: RowKey(row), into: index)
          rows[number, default: []].insert(row)
          number += 1
          row += 1
        }
      }
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        guard let key = rows.keys.randomElement(using: &random) else { break }
        let other = Int64.random(in: -3...row, using: &random)
        if random.oneIn(2), let known = rows[key]?.first {
          try transaction.remove(key, row: RowKey(known), from: index)
          rows[key]?.remove(known)
        } else if rows[key]?.contains(other) == false {
          try transaction.insert(key, row: RowKey(other), into: index)
          rows[key, default: []].insert(other)
        }
      }
      try transaction.commit()
      let snapshot = try store.latestSnapshot()
      // Leaves are classified the first time and not read the second.
      for _ in 0..<2 {
        for key in -510...(number + 5) {
          #expect(
            try snapshot.firstRow(key, in: index)?.rawValue == rows[key]?.min(), "SEED=\(seed) \(key)")
        }
      }
      #expect(try snapshot.firstRow(.max, in: index) == nil)
      #expect(try snapshot.firstRow(.min, in: index) == nil)
    }
    try store.verify()
  }

  @Test("the least row of a number may lie in the leaf before the dense leaf that begins with it")
  func sharedNumber() throws {
    // The last two of thirty-four full leaves: one ends with (127, 0), the next begins with (127, 10127) and goes on in
    // steps of one. There are more entries than may stay in the delta.
    let entries =
      (-4096..<127).map { ($0, 10_000 + $0) } + [(127, 0)] + (127..<255).map { ($0, 10_000 + $0) }
    #expect(entries.count > 2 * IntBlock.largeDelta)
    let store = try Store.open(.inMemory(name: "shared number"))
    let index = try store.write { transaction in
      let index = try transaction.createIndex("i", .int, on: try transaction.createTable("T"))
      for (key, row) in entries { try transaction.insert(Int64(key), row: RowKey(Int64(row)), into: index) }
      return index
    }
    let snapshot = try store.latestSnapshot()
    for _ in 0..<2 {
      for key in Int64(-2)..<258 {
        let least = entries.filter { $0.0 == key }.map(\.1).min()
        #expect(try snapshot.firstRow(key, in: index)?.rawValue == least.map { Int64($0) }, "\(key)")
      }
    }
  }

  @Test("prefetched addresses are those of the cells that are read")
  func cellPlaces() throws {
    let store = try Store.open(.inMemory(name: "cell places"))
    let types: [ColumnType] = [.int, .string, .bool, .double, .timestamp, .link, .uuid, .float, .objectId, .data]
    let (table, columns) = try store.write { transaction in
      let table = try transaction.createTable("T")
      var columns: [ColumnID] = []
      for (number, type) in types.enumerated() {
        let target = type == .link ? table : nil
        columns.append(
          try transaction.addColumn("c\(number)", type, isNullable: true, target: target, to: table))
      }
      // A dropped column leaves no cells.
      try transaction.dropColumn(columns.remove(at: 2), of: table)
      for _ in 0..<300 { _ = try transaction.writer(of: table).insertRow() }
      return (table, columns)
    }
    let snapshot = try store.latestSnapshot()
    let places = try #require(snapshot.root.table(table)).clusterMap.columns.cells
    let cluster = try #require(try snapshot.cluster(1, of: table))
    #expect(places.places.count == 8)
    #expect(places.head <= Cluster.firstCell(cluster.columnCount))
    for (column, place) in zip(columns, places.places) {
      let cells = try #require(cluster.column(column))
      #expect(cluster.storage + place.offset == cells.values)
      #expect(place.width * 256 <= cells.type.clusterWidth)
    }
    // Prefetching missing rows and other tables is harmless.
    for row in [-2, -1, 0, 299, 1 << 20, Int64.max] { snapshot.prefetch(RowKey(row), of: table) }
    snapshot.prefetch(RowKey(0), of: TableID(7))
  }
}
