import StorageEngine
import TestKit
import Testing

@Suite struct IndexTests {
  @Test("an index answers as a sorted array does", arguments: Seeds.some(4))
  func equalsSortedArray(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.open(.inMemory(name: "index\(seed)"))
    let (table, index) = try store.write { transaction in
      let table = try transaction.createTable("T")
      return (table, try transaction.createIndex("i", .int, on: table))
    }
    _ = table
    var entries: Set<[Int64]> = []
    for _ in 0..<12 {
      let transaction = try store.beginWrite()
      for _ in 0..<Int.random(in: 1...2000, using: &random) {
        let entry = [Int64.random(in: -300...300, using: &random), Int64.random(in: 0...4, using: &random)]
        if random.oneIn(3) {
          try transaction.remove(entry[0], row: RowKey(entry[1]), from: index)
          entries.remove(entry)
        } else {
          try transaction.insert(entry[0], row: RowKey(entry[1]), into: index)
          entries.insert(entry)
        }
        if random.oneIn(40) {
          try expectEqual(try transaction.index(index), entries, &random, "SEED=\(seed), in transaction")
        }
      }
      try transaction.commit()
      let reader = try store.latestSnapshot()
      for _ in 0..<20 { try expectEqual(try reader.index(index), entries, &random, "SEED=\(seed)") }
    }
    try store.verify()
  }

  private func expectEqual(
    _ reader: IndexReader, _ entries: Set<[Int64]>, _ random: inout SeededGenerator, _ comment: Comment
  ) throws {
    let key = Int64.random(in: -310...310, using: &random)
    let rows = entries.filter { $0[0] == key }.map { RowKey($0[1]) }.sorted()
    #expect(try reader.rows(key) == rows, comment)
    #expect(try reader.firstRow(key) == rows.first, comment)
    #expect(try reader.contains(key, row: RowKey(2)) == rows.contains(RowKey(2)), comment)
    guard random.oneIn(4) else { return }
    #expect(try reader.count(key) == rows.count, comment)
    #expect(try reader.count == entries.count, comment)
    let range = min(key, 17)...max(key, 17)
    let inRange = entries.filter { range.contains($0[0]) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(try reader.count(in: range) == inRange.count, comment)
    for direction in [IndexReader.Direction.ascending, .descending] {
      var found: [[Int64]] = []
      try reader.forEach(in: range, direction) { key, row in
        found.append([key, row.rawValue])
        return true
      }
      #expect(found == (direction == .ascending ? inRange : inRange.reversed()), comment)
    }
  }

  @Test("a prefix scan over byte strings finds what begins so, in either direction")
  func prefixes() throws {
    let store = try Store.open(.inMemory(name: "prefixes"))
    let words = ["", "a", "ab", "abc", "ab\u{0}", "ab\u{0}\u{0}x", "b", "\u{10FFFF}"].map { Array($0.utf8) }
    let index = try store.write { transaction in
      let index = try transaction.createIndex("i", .bytes, on: try transaction.createTable("T"))
      for (row, word) in words.enumerated() { try transaction.insert(word, row: RowKey(Int64(row)), into: index) }
      return index
    }
    let reader = try store.latestSnapshot().index(index)
    for prefix in words + [Array("zz".utf8)] {
      let expected = words.filter { $0.starts(with: prefix) }.sorted { $0.lexicographicallyPrecedes($1) }
      for direction in [IndexReader.Direction.ascending, .descending] {
        var found: [[UInt8]] = []
        try reader.forEach(prefix: prefix, direction) { key, _ in
          found.append(key)
          return true
        }
        #expect(found == (direction == .ascending ? expected : expected.reversed()))
      }
      #expect(try reader.count(prefix) == (words.contains(prefix) ? 1 : 0))
    }
    var middle: [[UInt8]] = []
    try reader.forEach(from: words[1], through: words[4]) { key, _ in
      middle.append(key)
      return true
    }
    #expect(middle == [words[1], words[2], words[4]])
  }

  @Test("a large random load leaves a correct index")
  func bulk() throws {
    let store = try Store.open(.inMemory(name: "bulk"))
    var random = SeededGenerator(seed: 9)
    let index = try store.write { transaction in
      let index = try transaction.createIndex("i", .int, on: try transaction.createTable("T"))
      for row in 0..<30_000 {
        try transaction.insert(Int64(bitPattern: random.next()), row: RowKey(Int64(row)), into: index)
      }
      return index
    }
    #expect(try store.latestSnapshot().index(index).count == 30_000)
    try store.verify()
  }
}
