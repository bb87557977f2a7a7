import TestKit
import Testing

@Suite("Seeds and damage") struct SeedsTests {
  @Test("one seed gives one sequence")
  func repeatable() {
    var first = SeededGenerator(seed: 7)
    var second = SeededGenerator(seed: 7)
    var other = SeededGenerator(seed: 8)
    let sequence = (0..<8).map { _ in first.next() }
    #expect(sequence == (0..<8).map { _ in second.next() })
    #expect(sequence != (0..<8).map { _ in other.next() })
  }

  @Test("a weight of 0 is never picked")
  func weights() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1_000 { #expect(random.pick([(0, "never"), (3, "a"), (1, "b"), (0, "never")]) != "never") }
  }

  @Test("damage covers every prefix and every bit")
  func damage() {
    #expect(Damage.truncations(of: [1, 2, 3]).count == 3)
    #expect(Set(Damage.bitFlips(of: [0, 0])).count == 16)
  }

  @Test("the vectors of the repository are found")
  func vectors() {
    #expect(!RepositoryFiles.vectors("recordings", variable: "OPENREALM_RECORDINGS").isEmpty)
  }
}
