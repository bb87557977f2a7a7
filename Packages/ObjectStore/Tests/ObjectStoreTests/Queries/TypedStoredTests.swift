import Foundation
import QueryLanguage
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Type-safe queries over what is stored for enumerations and custom types, and in generic code.
@Suite("type-safe queries over stored values")
struct TypedStoredTests {
  private let holder = Query<Holder>._constructForTesting()

  private func text(_ query: Query<Bool>) -> String { query._constructPredicate().0 }

  @Test("raw values of collections have the text of the collections")
  func rawValues() {
    #expect(text(holder.kinds.rawValue == "dog") == text(holder.kinds == .dog))
    #expect(text(holder.kindMap.rawValue == "dog") == text(holder.kindMap == .dog))
    #expect(text(holder.kindSet.rawValue > 1) == "(ANY kindSet > %@)")
    #expect(text(holder.kindSet.rawValue.contains(1...5)) == "((kindSet.@min >= %@) && (kindSet.@max <= %@))")
    #expect(text(holder.kindSet.rawValue.contains(1..<5)) == "((kindSet.@min >= %@) && (kindSet.@max < %@))")
    #expect(text(holder.kinds.rawValue.contains("dog")) == "(%@ IN kinds)")
    #expect(text(holder.kindMap.rawValue.contains("cat"..."dog")) == "((kindMap.@min >= %@) && (kindMap.@max <= %@))")
  }

  @Test("stored values of custom types in collections lead on")
  func storedValues() {
    #expect(text(holder.points.persistableValue.x > 1) == "(ANY points.x > %@)")
    #expect(text(holder.maybeInts.contains(1...2)) == "((maybeInts.@min >= %@) && (maybeInts.@max <= %@))")
  }

  @Test("generic code compares numbers of every kind of property")
  func genericCode() {
    func above<T: _HasPersistedType>(_ query: Query<T>, _ value: T) -> Query<Bool>
    where T.PersistedType: _QueryNumeric { query > value }
    func most<T: RealmKeyedCollection>(_ query: Query<T>, _ value: T.Value) -> Query<Bool>
    where T.Value.PersistedType: _QueryNumeric { query.max == value && query.contains(value) }
    func least<T: RealmCollection>(_ query: Query<T>, _ value: T.Element) -> Query<Bool>
    where T.Element.PersistedType: _QueryNumeric { query.min > value }
    #expect(text(above(holder.id, 1)) == "(id > %@)")
    #expect(text(most(holder.intMap, 1)) == "((intMap.@max == %@) && (%@ IN intMap))")
    #expect(text(least(holder.ints, 1)) == "(ints.@min > %@)")
  }

  @Test("generic code compares texts, and takes ranges of whatever has an order")
  func genericOrder() {
    func after<T: _HasPersistedType>(_ query: Query<T>, _ value: T) -> Query<Bool>
    where T.PersistedType: _QueryString { query > value && query.starts(with: value) }
    func within<T: OptionalProtocol>(_ query: Query<T>, _ range: ClosedRange<T.Wrapped>) -> Query<Bool>
    where T.Wrapped: Comparable { query.contains(range) }
    let person = Query<Person>._constructForTesting()
    #expect(text(after(person.name, "a")) == "((name > %@) && (name BEGINSWITH %@))")
    #expect(text(after(person.nickname, "a")) == "((nickname > %@) && (nickname BEGINSWITH %@))")
    #expect(text(within(person.nickname, "a"..."b")) == "(nickname BETWEEN {%@, %@})")
  }

  @Test("such queries find what their values say")
  func results() throws {
    let realm = try Realm(configuration: typesConfiguration())
    try realm.write {
      realm.create(Holder.self, value: ["id": 1, "kindSet": [Grade.low, .middle], "points": [Point(x: 2, y: 0)]])
      realm.create(Holder.self, value: ["id": 2, "kindSet": [Grade.low, .high], "kinds": [Species.dog]])
    }
    let holders = realm.objects(Holder.self)
    #expect(holders.where { $0.kindSet.rawValue.contains(1...5) }.map(\.id) == [1])
    #expect(holders.where { $0.kindSet.rawValue > 5 }.map(\.id) == [2])
    #expect(holders.where { $0.kinds.rawValue == "dog" }.map(\.id) == [2])
    #expect(holders.where { $0.points.persistableValue.x > 1 }.map(\.id) == [1])
  }

  @Test("a custom type that is stored as an embedded object equals what has equal properties")
  func memberwise() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let (one, two, three) = (Point(x: 1, y: 1), Point(x: 1, y: 2), Point(x: 2, y: 1))
    try realm.write {
      realm.create(Holder.self, value: ["id": 1, "point": one, "target": one, "points": [one]])
      realm.create(Holder.self, value: ["id": 2, "point": two, "points": [two, three]])
      realm.create(Holder.self, value: ["id": 3, "point": three])
    }
    let holders = realm.objects(Holder.self)
    func ids(_ condition: (Query<Holder>) -> Query<Bool>) -> [Int] { holders.where(condition).map(\.id) }
    #expect(ids { $0.point == one } == [1])
    #expect(ids { $0.point != one } == [2, 3])
    #expect(
      ids { $0.target == one } == [1] && ids { $0.target != one } == [2, 3] && ids { $0.target == nil } == [2, 3])
    #expect(ids { $0.points == one } == [1], "no two elements together are equal")
    #expect(ids { $0.points != one } == [2] && ids { $0.points == three } == [2])
    #expect(
      ids { $0.point.persistableValue.y != 1 || $0.point == one } == [1, 2] && ids { !($0.point == one) } == [2, 3])
    #expect(text(holder.points != one) == "(ANY points != %@)")
    #expect(text(holder.point == one) == "(point == %@)")
  }

  @Test("a subquery is about the first collection, and one within it has the text of one beside it")
  func subqueries() throws {
    let person = Query<Person>._constructForTesting()
    #expect(
      text((person.dogs.owners.count >= 1).count > 0)
        == "(SUBQUERY(dogs, $col1, ($col1.owners.@count >= %@)).@count > %@)")
    #expect(
      text((person.dogs.name == "Rex" && (person.dogs.weight > 1).count > 0).count > 0)
        == "(SUBQUERY(dogs, $col1, (($col1.name == %@) && (SUBQUERY(dogs, $col2, ($col2.weight > %@)).@count > %@))).@count > %@)"
    )
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      realm.create(
        Person.self, value: ["id": 1, "age": 4, "dogs": [["name": "Rex", "weight": 2.0], ["name": "Ace"]]])
      realm.create(Person.self, value: ["id": 2, "age": 7, "dogs": [["name": "Rex"]]])
    }
    let people = realm.objects(Person.self)
    #expect(people.where { ($0.dogs.owners.count >= 1).count > 1 }.map(\.id) == [1])
    #expect(people.where { ($0.dogs.owners.age > 5).count > 0 }.map(\.id) == [2])
  }

  @Test("collections of every kind can be assigned by name")
  func assigning() throws {
    let realm = try Realm(configuration: typesConfiguration())
    try realm.write {
      let item = realm.create(Item.self, value: ["id": 1])
      let holder = realm.create(Holder.self, value: ["id": 1, "link": item, "intSet": [1, 2]])
      holder["links"] = realm.objects(Item.self)
      #expect(holder.links.count == 1)
      holder["links"] = AnyRealmCollection(holder.links.filter("id == 2"))
      #expect(holder.links.isEmpty)
      holder["ints"] = holder.intSet
      #expect(holder.ints.count == 2)
      let parent = realm.create(OldParent.self, value: ["name": "p"])
      let child = realm.create(OldStyle.self, value: ["name": "c"])
      parent.children.append(child)
      #expect(child.parents.first?.isSameObject(as: parent) == true)
      guard case .list(let parents) = QueryArgument(literal: child.parents) else {
        Issue.record("an inverse relationship is no list")
        return
      }
      #expect(parents.count == 1)
    }
  }
}
