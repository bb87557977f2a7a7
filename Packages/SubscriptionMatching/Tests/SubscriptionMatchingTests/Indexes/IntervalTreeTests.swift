import QueryLanguage
import TestKit
import Testing

@testable import SubscriptionMatching

/// The tree against a list of all intervals.
@Suite("Interval tree") struct IntervalTreeTests {
  private struct Entry {
    var range: KeyRange
    var slot: Int
  }

  private static func bound(using random: inout SeededGenerator) -> PropertyLookup.Bound? {
    if random.oneIn(5) { return nil }
    return PropertyLookup.Bound(.int(Int64.random(in: 0..<12, using: &random)), isInclusive: random.oneIn(2))
  }

  @Test("finds the intervals that hold a key, through insertions and removals") func law() {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      var tree = IntervalTree(seed: seed)
      var entries: [Entry] = []
      for slot in 0..<60 {
        if random.oneIn(3), let at = entries.indices.randomElement(using: &random) {
          let gone = entries.remove(at: at)
          tree.remove(gone.range, gone.slot)
        } else {
          let entry = Entry(
            range: KeyRange(lower: Self.bound(using: &random), upper: Self.bound(using: &random)), slot: slot)
          entries.append(entry)
          tree.insert(entry.range, entry.slot)
        }
        let key = LookupKey.int(Int64.random(in: -1..<13, using: &random))
        var found: [Int] = []
        tree.find(key) { found.append($0) }
        let expected = entries.filter { $0.range.begins(by: key) && $0.range.reaches(key) }.map(\.slot)
        #expect(found.sorted() == expected.sorted(), "SEED=\(seed) \(key)")
        if found.sorted() != expected.sorted() { return }
      }
      for entry in entries { tree.remove(entry.range, entry.slot) }
      #expect(tree.isEmpty, "SEED=\(seed)")
    }
  }

  @Test("intervals inserted in order, and a hundred thousand of them, make no deep tree") func inOrder() {
    var tree = IntervalTree(seed: 1)
    for slot in 0..<100_000 {
      let bound = PropertyLookup.Bound(.int(Int64(slot)), isInclusive: true)
      tree.insert(KeyRange(lower: bound, upper: bound), slot)
    }
    var found: [Int] = []
    tree.find(.int(77_777)) { found.append($0) }
    #expect(found == [77_777])
    #expect(tree.depth < 80)
  }
}
