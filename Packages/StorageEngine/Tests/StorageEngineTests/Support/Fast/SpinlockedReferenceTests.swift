import Foundation
import Synchronization
import TestKit
import Testing

@testable import StorageEngine

/// Under the thread sanitizer these tests also check that the next thread sees the writes of the one before.
@Suite(.serialized) struct SpinlockedReferenceTests {
  /// Two numbers in memory of its own, as a cluster has its columns.
  // @unchecked: written before it is stored, or under the lock.
  private final class Thing: @unchecked Sendable {
    static let living = Atomic<Int>(0)
    let numbers = UnsafeMutablePointer<Int>.allocate(capacity: 2)

    init(_ number: Int = 0) {
      numbers.initialize(repeating: number, count: 2)
      Self.living.add(1, ordering: .relaxed)
    }

    deinit {
      numbers.deallocate()
      Self.living.subtract(1, ordering: .relaxed)
    }

    var isTorn: Bool { numbers[0] != numbers[1] }
  }

  @Test("changes by several threads add up, also when one of them is slow under the lock")
  func exclusion() {
    let place = Shared(Thing())
    let rounds = (Seeds.runs ?? 1) * 20_000
    onThreads(4) { number in
      for round in 0..<rounds {
        _ = place.place.withObject { thing in
          if number == 0, round % 4_000 == 0 { Thread.sleep(forTimeInterval: 0.002) }
          thing.numbers[0] += 1
        }
      }
    }
    #expect(place.place.withObject { $0.numbers[0] } == 4 * rounds)
  }

  @Test("a thread reads an object as it was stored, can retain it, and no object leaks")
  func handOver() {
    do {
      let place = Shared(nil)
      let looked = Atomic<Int>(0)
      let torn = Atomic<Int>(0)
      let enough = (Seeds.runs ?? 1) * 20_000
      onThreads(4) { number in
        var round = 0
        while looked.load(ordering: .relaxed) < enough {
          guard number == 0 else {
            guard let thing = place.place.withObject({ $0 }) else { continue }
            looked.add(1, ordering: .relaxed)
            if thing.isTorn { torn.add(1, ordering: .relaxed) }
            continue
          }
          round += 1
          let new = Thing(round)
          // The replaced object is destroyed here, outside of the lock.
          let old = place.place.change { current in
            defer { current = round % 5 == 0 ? nil : new }
            return current
          }
          if let old, old.isTorn { torn.add(1, ordering: .relaxed) }
        }
      }
      #expect(torn.load(ordering: .relaxed) == 0)
      let last = place.place.change { current in
        defer { current = nil }
        return current
      }
      withExtendedLifetime(last) {}
    }
    #expect(Thing.living.load(ordering: .relaxed) == 0)
    do { _ = SpinlockedReference(Thing()) }
    #expect(Thing.living.load(ordering: .relaxed) == 0)
  }

  private final class Shared: Sendable {
    let place: SpinlockedReference<Thing>
    init(_ thing: Thing?) { place = SpinlockedReference(thing) }
  }
}
