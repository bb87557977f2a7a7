import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("mutable sets")
struct MutableSetTests {
  /// Runs the same work on an unmanaged set and on a live one.
  static func both(_ work: (Holder, (() -> Void) throws -> Void) throws -> Void) throws {
    let unmanaged = Holder()
    try work(unmanaged) { $0() }
    let realm = try Realm(configuration: typesConfiguration())
    let live = try realm.write { realm.create(Holder.self, value: ["id": 1]) }
    try work(live) { change in try realm.write { change() } }
  }

  @Test("sets of plain values do what sets do, managed or not")
  func plain() throws {
    try Self.both { holder, write in
      let set = holder.intSet
      try write {
        set.insert(objectsIn: [3, 1, 2, 3])
        set.insert(1)
        set.remove(2)
        set.remove(99)
      }
      #expect(set.count == 2)
      #expect(Set(set) == [1, 3])
      #expect(set.contains(3))
      #expect(!set.contains(2))
      #expect(!set.isEmpty)
      #expect(set.min() == 1)
      #expect(set.max() == 3)
      #expect(set.sum() == 4)
      #expect(set.average() == 2.0)
      #expect(Set([set[0], set[1]]) == [1, 3])
      #expect(holder.intSet == set)
      #expect(holder.otherSet != set)
      try write { set.removeAll() }
      #expect(set.isEmpty)
      #expect(set.min() == nil)
      #expect(set.sum() == 0)
      #expect(set.average() as Double? == nil)
      try write { holder.wordSet.insert(objectsIn: ["a", nil, "a", nil]) }
      #expect(holder.wordSet.count == 2)
      #expect(holder.wordSet.contains(nil))
      try write { holder.kindSet.insert(objectsIn: [.high, .low, .high]) }
      #expect(Set(holder.kindSet) == [.high, .low])
      try write { holder.anySet.insert(objectsIn: [.int(1), .string("1"), .none, .int(1), .double(1)]) }
      #expect(holder.anySet.count == 4)
      #expect(holder.anySet.contains(.none))
      #expect(holder.anySet.contains(.string("1")))
      let other = MutableSet<Int>()
      other.insert(objectsIn: [7, 8])
      try write { holder.intSet = other }
      #expect(Set(set) == [7, 8])
      #expect(other.count == 2)
    }
  }

  @Test("set algebra gives what Swift's sets give")
  func algebra() throws {
    try Self.both { holder, write in
      for (left, right) in [([1, 2, 3], [2, 3, 4]), ([], [1]), ([1], []), ([1, 2], [1, 2]), ([1], [2])] {
        func reset() throws {
          try write {
            holder.intSet.removeAll()
            holder.otherSet.removeAll()
            holder.intSet.insert(objectsIn: left)
            holder.otherSet.insert(objectsIn: right)
          }
        }
        let (a, b) = (Set(left), Set(right))
        try reset()
        #expect(holder.intSet.isSubset(of: holder.otherSet) == a.isSubset(of: b))
        #expect(holder.intSet.intersects(holder.otherSet) == !a.isDisjoint(with: b))
        try write { holder.intSet.formUnion(holder.otherSet) }
        #expect(Set(holder.intSet) == a.union(b))
        try reset()
        try write { holder.intSet.formIntersection(holder.otherSet) }
        #expect(Set(holder.intSet) == a.intersection(b))
        try reset()
        try write { holder.intSet.subtract(holder.otherSet) }
        #expect(Set(holder.intSet) == a.subtracting(b))
        #expect(Set(holder.otherSet) == b)
      }
    }
  }

  @Test("a set of objects adds what is unmanaged, and loses what is deleted")
  func objects() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "linkSet": [["id": 1], ["id": 2]]]) }
    let item = Item(value: ["id": 3, "name": "c"])
    try realm.write {
      holder.linkSet.insert(item)
      holder.linkSet.insert(item)
    }
    #expect(holder.linkSet.count == 3)
    #expect(item.realm != nil)
    #expect(holder.linkSet.contains(item))
    #expect(!holder.linkSet.contains(Item()))
    #expect(holder.linkSet.filter("id > 1").count == 2)
    #expect(holder.linkSet.sorted(byKeyPath: "id", ascending: false).first == item)
    #expect(holder.linkSet.sum(ofProperty: "id") == 6)
    try realm.write { realm.delete(item) }
    #expect(holder.linkSet.count == 2)
    let frozen = holder.linkSet.freeze()
    try realm.write { holder.linkSet.removeAll() }
    #expect(frozen.count == 2)
    #expect(frozen.isFrozen)
    #expect(holder.linkSet.isEmpty)
    #expect(frozen.thaw()?.isEmpty == true)
  }

  @Test("observers of a set hear of what came and went")
  func observing() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "intSet": [1, 2, 3]]) }
    var heard: [String] = []
    let token = holder.intSet.observe { change in
      switch change {
      case .initial(let set): heard.append("initial \(set.count)")
      case .update(let set, let deletions, let insertions, let modifications):
        heard.append("\(set.count) \(deletions) \(insertions) \(modifications)")
      case .error: break
      }
    }
    realm.refresh()
    try realm.write { holder.intSet.remove(2) }
    realm.refresh()
    try realm.write { holder.intSet.insert(9) }
    realm.refresh()
    #expect(heard == ["initial 3", "2 [1] [] []", "3 [] [2] []"])
    token.invalidate()
  }
}
