import Testing

@testable import ObjectStore
@testable import RecordStore

class ValueBag: Object {
  @Persisted var ints: List<Int>
  @Persisted var maybes: List<Int?>
  @Persisted var words: MutableSet<String>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var prices: Map<String, Int>
}

/// Conditions in texts on collections of plain values.
@Suite("Texts about plain values") struct ValueFilterTests {
  private func bag() throws -> (realm: Realm, bag: ValueBag) {
    var configuration = memoryConfiguration()
    configuration.objectTypes = [ValueBag.self]
    let realm = try Realm(configuration: configuration)
    let bag = ValueBag()
    bag.ints.append(objectsIn: [5, 1, 9, 3])
    bag.maybes.append(objectsIn: [2, nil, 4])
    bag.words.insert(objectsIn: ["Ada", "bob", "Éva"])
    bag.anys.append(objectsIn: [.int(3), .string("three"), .double(3.5), .none])
    for (key, value) in ["a": 1, "b": 20, "c": 300] { bag.prices[key] = value }
    try realm.write { realm.add(bag) }
    return (realm, bag)
  }

  @Test("call them SELF in any letter case") func selfName() throws {
    let (realm, bag) = try bag()
    defer { _ = realm }
    #expect(Array(bag.ints.filter("SELF > 3")) == [5, 9])
    #expect(Array(bag.ints.filter("self > %@ AND Self < %d", 1, 9)) == [5, 3])
    #expect(Array(bag.ints.filter("%K == 9", "self")) == [9])
    #expect(Array(bag.ints.filter("self IN %@", [1, 9, 70])) == [1, 9])
    #expect(Array(bag.ints.filter("SELF BETWEEN {2, 5}").sorted()) == [3, 5])
    #expect(Array(bag.ints.filter("NOT self == 5")) == [1, 9, 3])
    #expect(Array(bag.ints.filter("self / 2 == 1")) == [3])
    #expect(bag.ints.index(matching: "self == 9") == 2)
    #expect(bag.ints.index(matching: "self == 10") == nil)
  }

  @Test("obey quantifiers, nulls, letter case and types") func rules() throws {
    let (realm, bag) = try bag()
    defer { _ = realm }
    #expect(Array(bag.ints.filter("self == NONE {1, 5}")) == [9, 3])
    #expect(Array(bag.ints.filter("self > ALL {1, 3}")) == [5, 9])
    #expect(Array(bag.ints.filter("self == '9'")) == [9])
    #expect(Array(bag.maybes.filter("self == nil")) == [nil])
    #expect(Array(bag.maybes.filter("self != 2")) == [nil, 4])
    #expect(Array(bag.words.filter("SELF BEGINSWITH[cd] 'E'")) == ["Éva"])
    #expect(bag.words.filter("self.@count > 3").map { $0 } == ["Éva"])
    #expect(bag.anys.filter("self >= 3").count == 2)
    #expect(bag.anys.filter("self.@type == 'string'").first?.stringValue == "three")
  }

  @Test("filter the values of maps") func maps() throws {
    let (realm, bag) = try bag()
    defer { _ = realm }
    #expect(Array(bag.prices.filter("SELF > 10").sorted()) == [20, 300])
    #expect(bag.prices.filter("SELF > 1000").isEmpty)
  }

  @Test("are followed by changes of the collection") func live() throws {
    let (realm, bag) = try bag()
    let large = bag.ints.filter("self > 4")
    #expect(large.count == 2)
    try realm.write { bag.ints.append(40) }
    #expect(Array(large) == [5, 9, 40])
  }
}
