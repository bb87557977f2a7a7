import TestKit
import Testing

@testable import RealmGraphQL

@Suite struct RowChangesTests {
  @Test("deletions and insertions lead from one list to the other")
  func law() throws {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      let old = Array((0..<Int64.random(in: 0...12, using: &random)).shuffled(using: &random))
      let new = Array((0..<Int64.random(in: 0...12, using: &random)).shuffled(using: &random))
      let changes = RowChanges(from: old, to: new)
      var list = old
      for position in changes.deletions.reversed() { list.remove(at: position) }
      for position in changes.insertions { list.insert(new[position], at: position) }
      #expect(list == new, "seed \(seed)")
      #expect(changes.kept.count + changes.insertions.count == new.count)
    }
  }

  @Test("one row that moved is one deletion and one insertion")
  func move() {
    let changes = RowChanges(from: [1, 2, 3, 4], to: [4, 1, 2, 3])
    #expect(changes.deletions == [3])
    #expect(changes.insertions == [0])
  }
}
