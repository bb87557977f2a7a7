import TestKit
import Testing

@testable import SubscriptionMatching

/// Prefixes of byte strings.
@Suite("Prefix index") struct PrefixIndexTests {
  private func found(_ index: PrefixIndex, _ bytes: [UInt8]) -> [Int] {
    var slots: [Int] = []
    index.find(bytes) { slots.append($0) }
    return slots.sorted()
  }

  @Test("a string finds its prefixes, itself and the empty one among them") func table() {
    var index = PrefixIndex()
    for (slot, prefix) in ["", "a", "ab", "abc", "b"].enumerated() { index.insert(Array(prefix.utf8), slot) }
    #expect(found(index, []) == [0])
    #expect(found(index, Array("a".utf8)) == [0, 1])
    #expect(found(index, Array("abcd".utf8)) == [0, 1, 2, 3])
    #expect(found(index, Array("ba".utf8)) == [0, 4])
  }

  @Test("prefixes beyond the longest length are found by their beginning") func long() {
    var index = PrefixIndex()
    let head = [UInt8](repeating: 7, count: PrefixIndex.longest)
    index.insert(head + [1], 1)
    index.insert(head + [2], 2)
    index.insert(head, 3)
    #expect(found(index, head + [1, 9]) == [1, 2, 3])
    #expect(found(index, Array(head.dropLast())) == [])
  }

  @Test("removal leaves nothing behind") func removal() {
    var index = PrefixIndex()
    index.insert([1, 2], 1)
    index.insert([1, 2], 2)
    index.remove([1, 2], 1)
    index.remove([9], 1)
    #expect(found(index, [1, 2, 3]) == [2])
    index.remove([1, 2], 2)
    #expect(index.isEmpty)
    #expect(found(index, [1, 2, 3]) == [])
  }

  @Test("a set of cohorts stays sorted and without duplicates") func slots() {
    for seed in Seeds.some(50) {
      var random = SeededGenerator(seed: seed)
      var slots = SlotSet()
      var model: Set<Int> = []
      for _ in 0..<200 {
        let slot = Int.random(in: 0..<40, using: &random)
        if random.oneIn(2) {
          slots.insert(slot)
          model.insert(slot)
        } else {
          slots.remove(slot)
          model.remove(slot)
        }
        #expect(slots.slots == model.sorted(), "SEED=\(seed)")
      }
    }
  }
}
