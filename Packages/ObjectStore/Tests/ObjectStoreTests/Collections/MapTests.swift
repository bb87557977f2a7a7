import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("maps")
struct MapTests {
  @Test("maps of plain values do what dictionaries do, managed or not")
  func plain() throws {
    try MutableSetTests.both { holder, write in
      let map = holder.intMap
      try write {
        map["a"] = 1
        map["b"] = 2
        map.updateValue(3, forKey: "c")
        map["b"] = nil
        map["x"] = nil
        map["a"] = 5
      }
      #expect(map.count == 2)
      #expect(map["a"] == 5)
      #expect(map["b"] == nil)
      #expect(map["c"] == 3)
      #expect(Dictionary(uniqueKeysWithValues: zip(map.keys, map.values)) == ["a": 5, "c": 3])
      #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == ["a": 5, "c": 3])
      #expect(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { $0 }) == ["a": 5, "c": 3])
      #expect(map.contains { key, value in key == "c" && value == 3 })
      #expect(!map.contains { $1 > 5 })
      #expect(map.min() == 3)
      #expect(map.max() == 5)
      #expect(map.sum() == 8)
      #expect(map.average() == 4.0)
      try write { map.merge([(key: "a", value: 10), (key: "d", value: 1)], uniquingKeysWith: +) }
      #expect(map["a"] == 15)
      #expect(map["d"] == 1)
      #expect(map.count == 3)
      let other = Map<String, Int>()
      other["z"] = 26
      try write { map.merge(other) { $1 } }
      #expect(map["z"] == 26)
      try write { map.removeObject(for: "z") }
      try write { holder.intMap = other }
      #expect(map.count == 1)
      #expect(map["z"] == 26)
      #expect(holder.intMap == map)
      #expect(other.count == 1)
      try write { map.removeAll() }
      #expect(map.isEmpty)
      #expect(map.max() == nil)
      #expect(map.sum() == 0)
      try write {
        holder.wordMap["nil"] = .some(nil)
        holder.wordMap["a"] = "A"
        holder.kindMap["k"] = .cat
        holder.anyMap["n"] = .int(1)
      }
      #expect(holder.wordMap.count == 2)
      #expect(holder.wordMap["nil"] == .some(nil))
      #expect(holder.wordMap["a"] == "A")
      #expect(holder.kindMap["k"] == .cat)
      #expect(holder.anyMap["n"]?.intValue == 1)
    }
  }

  @Test("a map of objects keeps the key of a deleted one, with nil")
  func objects() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write {
      realm.create(Holder.self, value: ["id": 1, "linkMap": ["a": ["id": 1, "name": "one"], "b": ["id": 2]]])
    }
    let one = try #require(holder.linkMap["a"] ?? nil)
    #expect(one.name == "one")
    #expect(holder.linkMap.values.count == 2)
    try realm.write { holder.linkMap["c"] = Item(value: ["id": 3, "name": "three"]) }
    #expect(holder.linkMap.sorted(byKeyPath: "id", ascending: false).first??.id == 3)
    #expect(holder.linkMap.filter("name == 'three'").count == 1)
    #expect(holder.linkMap.sum(ofProperty: "id") == 6)
    try realm.write { realm.delete(one) }
    #expect(holder.linkMap.count == 3)
    #expect(holder.linkMap.keys == ["a", "b", "c"])
    #expect(holder.linkMap["a"] == .some(nil))
    #expect(holder.linkMap["zz"] == nil)
    try realm.write { realm.delete(holder.linkMap) }
    #expect(realm.objects(Item.self).isEmpty)
    #expect(holder.linkMap.count == 3)
  }

  @Test("a map of embedded objects owns them")
  func embedded() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "spotMap": ["a": ["x": 1.0]]]) }
    let first = try #require(holder.spotMap["a"] ?? nil)
    try realm.write { holder.spotMap["a"] = Spot(value: ["x": 2.0]) }
    #expect(first.isInvalidated)
    #expect((holder.spotMap["a"] ?? nil)?.x == 2)
    let second = try #require(holder.spotMap["a"] ?? nil)
    try realm.write { second.y = 7 }
    #expect((holder.spotMap["a"] ?? nil)?.y == 7)
    try realm.write { holder.spotMap["a"] = .some(nil) }
    #expect(second.isInvalidated)
    #expect(holder.spotMap["a"] == .some(nil))
    try realm.write { holder.spotMap.removeAll() }
    #expect(holder.spotMap.isEmpty)
  }

  @Test("observers of a map hear of keys")
  func observing() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write {
      realm.create(Holder.self, value: ["id": 1, "intMap": ["a": 1, "b": 2], "linkMap": ["i": ["id": 1]]])
    }
    var heard: [String] = []
    func watch<V>(_ map: Map<String, V>) -> NotificationToken {
      map.observe { change in
        switch change {
        case .initial(let map): heard.append("initial \(map.count)")
        case .update(_, let deletions, let insertions, let modifications):
          heard.append("\(deletions) \(insertions) \(modifications)")
        case .error: break
        }
      }
    }
    let tokens = [watch(holder.intMap), watch(holder.linkMap)]
    realm.refresh()
    try realm.write {
      holder.intMap["a"] = nil
      holder.intMap["b"] = 3
      holder.intMap["c"] = 4
    }
    realm.refresh()
    try realm.write { (holder.linkMap["i"] ?? nil)?.name = "new" }
    realm.refresh()
    #expect(heard == ["initial 2", "initial 1", #"["a"] ["c"] ["b"]"#, #"[] [] ["i"]"#])
    withExtendedLifetime(tokens) {}
  }
}
