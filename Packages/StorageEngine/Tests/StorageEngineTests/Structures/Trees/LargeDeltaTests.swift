import TestKit
import Testing

@testable import StorageEngine

@Suite struct LargeDeltaTests {
  // Tests run side by side, each on a store of its own.
  private let location = StoreLocation.inMemory(name: "wide deltas \(UInt64.random(in: 0 ... .max))")

  private func delta(_ store: Store, _ table: TableID) throws -> TreeDelta<IntBlock> {
    guard case .int(_, let delta)? = store.current.withLock({ $0.table(table)?.indexes.first?.state }) else {
      throw StorageError.damage("There is no index of integers.")
    }
    return delta
  }

  private func isInline(_ store: Store, _ table: TableID) -> Bool {
    store.current.withLock { $0.table(table)?.inlineContent != nil }
  }

  @Test("scattered entries gather in the delta up to a bound, and small commits apply them to the tree")
  func gather() throws {
    var random = SeededGenerator(seed: 11)
    let store = try Store.open(location)
    let (table, column, index) = try store.write { transaction in
      let table = try transaction.createTable("T")
      let column = try transaction.addColumn("n", .int, to: table)
      return (table, column, try transaction.createIndex("i", .int, on: table))
    }
    var entries: Set<Int64> = []
    try store.write { transaction in
      let writer = try transaction.writer(of: table)
      _ = try writer.insertRow()
      for number in stride(from: 0 as Int64, to: 20_000, by: 2) {
        entries.insert(number)
        try transaction.insert(number, row: RowKey(number), into: index)
      }
    }
    func check(_ comment: Comment) throws {
      var found: [Int64] = []
      try store.latestSnapshot().index(index).forEach(in: .min ... .max) { number, _ in
        found.append(number)
        return true
      }
      #expect(found == entries.sorted(), comment)
      try store.verify()
    }

    var widest = 0
    for round in 0..<28 {
      try store.write { transaction in
        for _ in 0..<100 {
          let number = Int64.random(in: 0..<20_000, using: &random)
          if entries.remove(number) != nil {
            try transaction.remove(number, row: RowKey(number), from: index)
          } else {
            entries.insert(number)
            try transaction.insert(number, row: RowKey(number), into: index)
          }
        }
      }
      let count = try delta(store, table).count
      #expect(count <= IntBlock.largeDelta)
      #expect(round > 0 || count > 90, "the first hundred stay beside the tree")
      widest = max(widest, count)
      try check("round \(round)")
    }
    #expect(widest > IntBlock.largeDelta / 2)

    // Commits that do not touch the index shrink its delta step by step, until the root page holds the table again.
    for commit in 0..<40 {
      let before = try delta(store, table).count
      try store.write { try $0.writer(of: table).setInt(Int64(commit), column, row: RowKey(0)) }
      let after = try delta(store, table).count
      #expect(after >= before - TreeDelta<IntBlock>.limit, "a small commit pays for few")
    }
    #expect(try delta(store, table).count <= TreeDelta<IntBlock>.limit)
    #expect(isInline(store, table))
    try check("in the end")
  }

  @Test("entries beyond all others are applied to the tree at once")
  func appended() throws {
    let store = try Store.open(location)
    let (table, index) = try store.write { transaction in
      let table = try transaction.createTable("T")
      return (table, try transaction.createIndex("i", .int, on: table))
    }
    for start in stride(from: 0 as Int64, to: 10_000, by: 100) {
      try store.write { transaction in
        for number in start..<start + 100 { try transaction.insert(number, row: RowKey(number), into: index) }
      }
      #expect(try delta(store, table).isEmpty)
    }
    #expect(try store.latestSnapshot().index(index).count(in: 0...9_999) == 10_000)
    try store.verify()
  }
}
