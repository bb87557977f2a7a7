import Foundation
import Synchronization
import TestKit
import Testing

@testable import StorageEngine

/// Under the thread sanitizer these tests also check that the next thread sees the writes of the one before.
@Suite(.serialized) struct NodeSlotTests {
  /// A node with two numbers in memory of its own, as a cluster has its columns.
  // @unchecked: constant once it is made.
  private final class Thing: CachedNode, @unchecked Sendable {
    static let living = Atomic<Int>(0)
    let numbers = UnsafeMutablePointer<Int>.allocate(capacity: 2)

    init(_ number: Int) {
      numbers.initialize(repeating: number, count: 2)
      Self.living.add(1, ordering: .relaxed)
    }

    deinit {
      numbers.deallocate()
      Self.living.subtract(1, ordering: .relaxed)
    }

    var isTorn: Bool { numbers[0] != numbers[1] }
  }

  @Test("a thread reads a node as it was stored, can retain it, and no node leaks")
  func handOver() {
    do {
      let slot = NodeSlot(id: 1)
      let looked = Atomic<Int>(0)
      let torn = Atomic<Int>(0)
      let enough = (Seeds.runs ?? 1) * 20_000
      onThreads(4) { number in
        var round = 0
        while looked.load(ordering: .relaxed) < enough {
          guard number == 0 else {
            guard let thing = slot.peek() as? Thing else { continue }
            looked.add(1, ordering: .relaxed)
            if thing.isTorn { torn.add(1, ordering: .relaxed) }
            continue
          }
          round += 1
          _ = slot.empty()
          if round % 5 != 0 { _ = slot.fill(Thing(round), cost: 16) }
        }
      }
      #expect(torn.load(ordering: .relaxed) == 0)
    }
    // A thread that has ended may hold the slot for a moment.
    for _ in 0..<5_000 where Thing.living.load(ordering: .relaxed) != 0 { usleep(1_000) }
    #expect(Thing.living.load(ordering: .relaxed) == 0)
  }

  @Test("of threads that fill a slot one is first, and its node stays")
  func filling() {
    for _ in 0..<(Seeds.runs ?? 1) * 500 {
      let slot = NodeSlot(id: 1)
      let firsts = Atomic<Int>(0)
      let strangers = Atomic<Int>(0)
      onThreads(3) { number in
        let (node, isNew) = slot.fill(Thing(number), cost: number + 1)
        if isNew { firsts.add(1, ordering: .relaxed) }
        if slot.peek() !== node { strangers.add(1, ordering: .relaxed) }
      }
      #expect(firsts.load(ordering: .relaxed) == 1)
      #expect(strangers.load(ordering: .relaxed) == 0)
      #expect((slot.peek() as? Thing)?.numbers[0] == slot.empty() - 1)
      #expect(slot.empty() == 0)
    }
    #expect(Thing.living.load(ordering: .relaxed) == 0)
  }
}
