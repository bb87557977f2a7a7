import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct GrowthTests {
  @Test("a snapshot that is held over a thousand versions is reported once, and again after another one")
  func warning() throws {
    let folder = TemporaryFolder()
    let warnings = Mutex<[StoreWarning]>([])
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.warn = { warning in warnings.withLock { $0.append(warning) } }
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let counters = try Counters(store, rows: 1)
    func commit(_ count: Int) throws { for _ in 0..<count { try store.write { try counters.increment($0) } } }
    var held: Snapshot? = try store.latestSnapshot()
    try commit(999)
    #expect(warnings.withLock { $0.isEmpty })
    #expect(try store.versionCount() == 1000)
    try commit(300)
    let first = warnings.withLock { $0 }
    #expect(first.count == 1)
    #expect(first.first?.oldest == held?.version)
    #expect(first.first?.isOwn == true)
    #expect(first.first?.description.contains("this process") == true)
    held = nil
    try commit(2)
    #expect(try store.versionCount() == 1)
    held = try store.latestSnapshot()
    try commit(1001)
    #expect(warnings.withLock { $0.count } == 2)
    #expect(try counters.value(store.latestSnapshot()) == 2302)
    withExtendedLifetime(held) {}
  }

  @Test("compaction makes no version, keeps the nodes of a snapshot, and frees the rest when it ends")
  func compacting() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    var random = SeededGenerator(seed: 1)
    let (table, column) = try store.write { transaction in
      let table = try transaction.createTable("T")
      return (table, try transaction.addColumn("number", .int, to: table))
    }
    func sum(_ snapshot: Snapshot) throws -> Int64 {
      var sum: Int64 = 0
      try snapshot.forEachRow(of: table) { row in
        sum &+= try snapshot.cluster(of: row, in: table)?.int(column, slot: row.slot) ?? 0
      }
      return sum
    }
    // More than the root page holds.
    func change() throws {
      try store.write { transaction in
        let writer = try transaction.writer(of: table)
        for number in 0..<3000 {
          let row = transaction.rowCount(of: table) < 3000 ? try writer.insertRow() : RowKey(Int64(number))
          try writer.setInt(Int64.random(in: 0...Int64.max, using: &random), column, row: row)
        }
      }
    }
    try change()
    var held: Snapshot? = try store.latestSnapshot()
    let before = try sum(#require(held))
    for _ in 0..<20 { try change() }
    let (version, after) = try (store.latestSnapshot().version, sum(store.latestSnapshot()))
    try store.compact()
    store.dropCaches()
    #expect(try store.latestSnapshot().version == version)
    #expect(try sum(#require(held)) == before)
    let large = try store.statistics()
    #expect(large.retiredNodeCount > 0)
    held = nil
    try store.compact()
    let small = try store.statistics()
    #expect(small.retiredNodeCount == 0)
    #expect(small.fileSizeInBytes < large.fileSizeInBytes)
    #expect(small.usedBytes == small.fileSizeInBytes)
    #expect(try sum(store.latestSnapshot()) == after)
    try store.verify()
  }

  @Test("stores share one budget of memory: reading in one evicts nodes of the others")
  func sharedBudget() throws {
    let budget = CacheBudget(bytes: 100_000)
    let caches = (0..<4).map { _ in NodeCache(budget: budget) }
    for round in 0..<400 {
      let cache = caches[round % 4]
      _ = cache.fill(cache.slot(Int64(round)), with: LargeNode())
    }
    #expect(budget.usedBytes <= 100_000)
    #expect(caches.allSatisfy { $0.bytes < 60_000 })
    #expect(caches.reduce(0) { $0 + $1.bytes } == budget.usedBytes)
  }
}

private final class LargeNode: CachedNode, @unchecked Sendable {
  // @unchecked: without state.
  override var byteCost: Int { 1000 }
}
