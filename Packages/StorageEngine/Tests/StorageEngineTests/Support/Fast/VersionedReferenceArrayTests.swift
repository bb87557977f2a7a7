import Synchronization
import TestKit
import Testing

@testable import StorageEngine

@Suite struct VersionedReferenceArrayTests {
  private final class Thing: Sendable {
    let number: Int
    private let living: LivingThings

    init(_ number: Int, _ living: LivingThings) {
      self.number = number
      self.living = living
      living.count.add(1, ordering: .relaxed)
    }

    deinit { living.count.subtract(1, ordering: .relaxed) }
  }

  private final class LivingThings: Sendable { let count = Atomic<Int>(0) }

  @Test("each version has its own and its inherited entries, and few more objects live than entries")
  func line() throws {
    let seed = Seeds.seed ?? 1
    for run in 0..<(Seeds.runs ?? 50) {
      var random = SeededGenerator(seed: seed &+ UInt64(run))
      let living = LivingThings()
      try follow(living, using: &random, "SEED=\(seed) run \(run)")
      #expect(living.count.load(ordering: .relaxed) == 0, "SEED=\(seed) run \(run): what nobody holds is gone")
    }
  }

  private func follow(_ living: LivingThings, using random: inout SeededGenerator, _ comment: Comment) throws {
    var made = 0
    let width = Int.random(in: 1...64, using: &random)
    var array = VersionedReferenceArray<Thing>(count: width)
    var model = [Int?](repeating: nil, count: width)
    for _ in 0..<400 {
      let count = random.oneIn(20) ? Int.random(in: 0...width, using: &random) : model.count
      var replaced: Set<Int> = []
      for _ in 0..<Int.random(in: 0...2, using: &random) { replaced.insert(Int.random(in: 0..<width, using: &random)) }
      let next = VersionedReferenceArray(count: count, following: array) { !replaced.contains($0) }
      model = (0..<count).map { $0 < model.count && !replaced.contains($0) ? model[$0] : nil }
      array = next
      for index in 0..<count where model[index] == nil && !random.oneIn(3) {
        made += 1
        model[index] = made
        #expect(array.set(index, Thing(made, living)).number == made, comment)
        // A second object does not replace the first.
        #expect(array.set(index, Thing(-1, living)).number == made, comment)
      }
      #expect((0..<array.count).map { array[$0]?._withUnsafeGuaranteedRef(\.number) } == model, comment)
      #expect(array.retainedCount <= 3 * width + 32 + width, comment)
    }
  }

  @Test("an earlier version keeps its entries when later ones start an owner of their own")
  func earlier() {
    let living = LivingThings()
    let first = VersionedReferenceArray<Thing>(count: 4)
    for index in 0..<4 { _ = first.set(index, Thing(index, living)) }
    var last = VersionedReferenceArray(count: 4, following: first) { _ in true }
    for number in 0..<100 {
      last = VersionedReferenceArray(count: 4, following: last) { $0 != number % 4 }
      _ = last.set(number % 4, Thing(100 + number, living))
    }
    #expect((0..<4).map { first[$0]?._withUnsafeGuaranteedRef(\.number) } == [0, 1, 2, 3])
    #expect((0..<4).map { last[$0]?._withUnsafeGuaranteedRef(\.number) } == [196, 197, 198, 199])
    #expect(living.count.load(ordering: .relaxed) < 60)
  }
}
