import TestKit
import Testing

@testable import StorageEngine

@Suite struct BlockSearchTests {
  @Test("a page of integers is searched as a plain array is, however its numbers are spread", arguments: Seeds.some(40))
  func lowerBound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let spreads: [(inout SeededGenerator) -> Int64] = [
      { Int64.random(in: 0...300, using: &$0) },
      { Int64.random(in: -3...3, using: &$0) },
      { Int64.random(in: .min ... .max, using: &$0) },
      { $0.oneIn(2) ? .min : .max },
      { 1 << Int64.random(in: 0...62, using: &$0) },
      { Int64.random(in: 0...1, using: &$0) * 1_000_000_000_000 + Int64.random(in: 0...50, using: &$0) },
      { Int64.random(in: -10...1_000, using: &$0) },
      { $0.oneIn(9) ? .min : Int64.random(in: .max - 300 ... .max, using: &$0) },
    ]
    for (number, spread) in spreads.enumerated() {
      let count = Int.random(in: 0...128, using: &random)
      let keys = Set(
        (0..<count).map { _ in IntKey(number: spread(&random), row: Int64.random(in: 0...5, using: &random)) })
      var sorted = keys.sorted()
      // The last two are searched in progressions of all kinds.
      let step = Int64.random(in: 1...9, using: &random)
      if number == 6 { sorted = sorted.indices.map { IntKey(number: Int64($0) * step - 5, row: 3) } }
      if number == 7 {
        let first = Int64.max - Int64(sorted.count) * step
        sorted = sorted.indices.map { IntKey(number: first + Int64($0) * step, row: Int64($0)) }
      }
      var block = IntBlock()
      for key in sorted { block.append(key, ()) }
      for _ in 0..<60 {
        var key = IntKey(number: spread(&random), row: Int64.random(in: -1...6, using: &random))
        if random.oneIn(4) { key.row = .min }
        if random.oneIn(4) { key.number = key.number &+ 1 }
        let expected = sorted.firstIndex { !($0 < key) } ?? sorted.count
        #expect(block.lowerBound(key) == expected, "SEED=\(seed) \(key) in \(sorted)")
      }
    }
  }

  @Test("pending edits are found by look-ups that begin at any time", arguments: Seeds.some(20))
  func pendingEdits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var edits = PendingEdits<IntBlock>()
    var latest: [Int64: Bool] = [:]
    for number in 0..<Int.random(in: 1...400, using: &random) {
      let key = Int64.random(in: 0...60, using: &random)
      let isThere = random.oneIn(2)
      edits.add(IntKey(number: key, row: 0), isThere ? () : nil, hash: KeyHash.of(key))
      latest[key] = isThere
      guard random.oneIn(number < 40 ? 5 : 60) else { continue }
      for key in Int64(0)...60 {
        var found: Bool?
        let isComplete = edits.forEach(hash: KeyHash.of(key), limit: .max) { entry, content in
          guard entry.number == key else { return true }
          found = content != nil
          return false
        }
        #expect(isComplete, "SEED=\(seed) \(key)")
        #expect(found == latest[key], "SEED=\(seed) \(key)")
      }
      #expect(edits.greatest?.number == latest.keys.max(), "SEED=\(seed)")
    }
  }

  @Test(
    "growing ids are found once they are inserted, within one transaction and over several", arguments: Seeds.some(6))
  func growingKeys(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.open(.inMemory(name: "growing\(seed)"))
    let index = try store.write { transaction in
      try transaction.createIndex("i", .int, on: try transaction.createTable("T"))
    }
    var rows: [Int64: Int64] = [:]
    var next: Int64 = -50
    for _ in 0..<5 {
      let transaction = try store.beginWrite()
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        #expect(try transaction.firstRow(next, in: index) == nil, "SEED=\(seed)")
        if random.oneIn(9), let old = rows.keys.randomElement(using: &random), let row = rows.removeValue(forKey: old) {
          try transaction.remove(old, row: RowKey(row), from: index)
        }
        try transaction.insert(next, row: RowKey(next + 100), into: index)
        rows[next] = next + 100
        let asked = Int64.random(in: -60...next, using: &random)
        #expect(try transaction.firstRow(asked, in: index)?.rawValue == rows[asked], "SEED=\(seed) \(asked)")
        next += Int64.random(in: 1...3, using: &random)
      }
      try transaction.commit()
      let snapshot = try store.latestSnapshot()
      for key in -55...next { #expect(try snapshot.firstRow(key, in: index)?.rawValue == rows[key], "SEED=\(seed)") }
    }
    try store.verify()
  }

  @Test("slots of removed nodes never outnumber those in use")
  func placesGo() {
    struct Place { weak var slot: NodeSlot? }
    let cache = NodeCache(budget: CacheBudget(bytes: 1 << 30))
    var places: [Place] = []
    for id in Int64(1)...20_000 {
      let slot = cache.slot(id)
      _ = cache.fill(slot, with: BytesNode([1]))
      places.append(Place(slot: slot))
      cache.remove([id])
    }
    #expect(places.count { $0.slot != nil } < 2_000)
  }
}
