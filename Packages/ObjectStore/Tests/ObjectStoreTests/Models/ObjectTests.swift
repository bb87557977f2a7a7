import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Leads to itself in every way.
final class Knot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: Knot?
  @Persisted var knots: List<Knot>
  @Persisted var knotMap: Map<String, Knot?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

@Suite("live objects")
struct ObjectTests {
  @Test("an object that leads to itself is printed down to a limit")
  func circles() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "knots", objectTypes: [Knot.self]))
    let knot = try realm.write { () -> Knot in
      let knot = realm.create(Knot.self, value: ["id": 1])
      knot.next = knot
      knot.knots.append(knot)
      knot.knotMap["k"] = knot
      knot.any = .object(knot)
      knot.anys.append(.fromArray([.object(knot)]))
      return knot
    }
    #expect(knot.description.contains("<Maximum depth exceeded>"))
    #expect(knot.knots.description.contains("<Maximum depth exceeded>"))
    #expect(knot.knotMap.description.contains("<Maximum depth exceeded>"))
    #expect(realm.objects(Knot.self).description.contains("<Maximum depth exceeded>"))
  }

  @Test("an unmanaged object is an ordinary object with defaults")
  func unmanaged() {
    let person = Person()
    #expect(person.name == "")
    #expect(person.age == 0)
    #expect(person.score == 1.5)
    #expect(person.nickname == nil)
    person.name = "Ada"
    person.dogs.append(Dog(value: ["name": "Rex"]))
    #expect(person.name == "Ada" && person.dogs.count == 1 && person.dogs[0].name == "Rex")
    #expect(person.realm == nil)
    #expect(!person.isInvalidated)
    #expect(Person(value: [7, "Bob", 30]).age == 30)
    #expect(Person(value: ["id": 1, "tags": ["a", "b"]]).tags.count == 2)
  }

  @Test("an added object is live: two views of one row show the same")
  func adding() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = Person(value: ["id": 1, "name": "Ada", "age": 36, "dogs": [["name": "Rex"], ["name": "Pluto"]]])
    ada.home = Address(value: ["street": "Main", "number": 5])
    try realm.write { realm.add(ada) }
    #expect(ada.realm == realm)
    #expect(realm.objects(Person.self).count == 1)
    #expect(realm.objects(Dog.self).count == 2)
    let same = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(same.name == "Ada")
    #expect(same.age == 36)
    #expect(same.score == 1.5)
    #expect(same.nickname == nil)
    #expect(same.dogs.map(\.name) == ["Rex", "Pluto"])
    #expect(same.home?.street == "Main")
    #expect(same.home?.number == 5)
    try realm.write {
      same.age += 1
      same.nickname = "A"
      same.home?.number = 6
    }
    #expect(ada.age == 37)
    #expect(ada.nickname == "A")
    #expect(ada.home?.number == 6)
    #expect(ada == same)
    #expect(ada.isSameObject(as: same))
    #expect(same.dogs[0].owners.first?.id == 1)
  }

  @Test("every type of value comes back as it went in")
  func types() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let uuid = UUID()
    let id = ObjectId.generate()
    let values: [String: Any] = [
      "id": id, "small": Int8(-5), "short": Int16(300), "long": Int64.min, "flag": true, "float": Float(1.25),
      "double": 2.5, "text": "žluťoučký", "data": Data([1, 2, 3]), "date": Date(timeIntervalSince1970: 1_700_000_000.5),
      "uuid": uuid, "decimal": try Decimal128(string: "12.34"), "maybe": false, "ints": [1, 2, 3],
      "optionals": ["a", nil, "c"] as [String?], "dates": [Date(timeIntervalSince1970: -0.5)],
    ]
    let object = try realm.write { realm.create(Everything.self, value: values) }
    #expect(object.id == id)
    #expect(object.small == -5)
    #expect(object.short == 300)
    #expect(object.long == .min)
    #expect(object.flag)
    #expect(
      object.float == 1.25 && object.double == 2.5 && object.text == "žluťoučký" && object.data == Data([1, 2, 3]))
    #expect(object.date == Date(timeIntervalSince1970: 1_700_000_000.5))
    #expect(object.uuid == uuid)
    #expect(object.decimal.description == "12.34")
    #expect(object.maybe == false)
    #expect(Array(object.ints) == [1, 2, 3])
    #expect(Array(object.optionals) == ["a", nil, "c"])
    #expect(object.dates.first == Date(timeIntervalSince1970: -0.5))
    #expect(realm.object(ofType: Everything.self, forPrimaryKey: id) == object)
    try realm.write {
      object.short = nil
      object.maybe = nil
      object.double = nil
    }
    #expect(object.short == nil)
    #expect(object.maybe == nil)
    #expect(object.double == nil)
  }

  @Test("update policies decide what happens to an object with the same key")
  func policies() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada", "age": 36, "tags": ["x"]]) }
    try realm.write { _ = realm.create(Person.self, value: ["id": 1, "age": 37], update: .modified) }
    let ada = try #require(realm.objects(Person.self).first)
    #expect(ada.name == "Ada")
    #expect(ada.age == 37)
    #expect(Array(ada.tags) == ["x"])
    try realm.write { realm.add(Person(value: ["id": 1, "name": "Eve"]), update: .all) }
    #expect(ada.name == "Eve")
    #expect(ada.age == 0)
    #expect(ada.tags.isEmpty)
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("deleting takes links away, and embedded objects along")
  func deleting() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let (ada, bob) = try realm.write {
      let bob = realm.create(Person.self, value: ["id": 2, "name": "Bob", "home": ["street": "S"]])
      let ada = realm.create(Person.self, value: ["id": 1, "friend": bob, "dogs": [["name": "Rex"], ["name": "Max"]]])
      return (ada, bob)
    }
    #expect(ada.friend == bob)
    #expect(realm.objects(Dog.self).count == 2)
    let rex = ada.dogs[0]
    try realm.write {
      realm.delete(bob)
      realm.delete(rex)
    }
    #expect(bob.isInvalidated)
    #expect(rex.isInvalidated)
    #expect(ada.friend == nil)
    #expect(ada.dogs.map(\.name) == ["Max"])
    #expect(try realm.file.latestReadView().reader.rowCount(of: #require(realm.view.catalog["Address"]).table) == 0)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    #expect(ada.isInvalidated)
  }

  @Test("a cancelled transaction takes everything back")
  func cancelling() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    realm.beginWrite()
    ada.name = "Eve"
    let bob = realm.create(Person.self, value: ["id": 2])
    #expect(realm.objects(Person.self).count == 2)
    #expect(ada.name == "Eve")
    realm.cancelWrite()
    #expect(ada.name == "Ada")
    #expect(bob.isInvalidated)
    #expect(realm.objects(Person.self).count == 1)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try realm.write {
        realm.deleteAll()
        throw Stop()
      }
    }
    #expect(ada.name == "Ada")
    #expect(!ada.isInvalidated)
  }

  @Test("lists do what arrays do")
  func lists() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let ada = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let tags = ada.tags
    try realm.write {
      tags.append(objectsIn: ["a", "b", "c", "d"])
      tags.insert("x", at: 1)
      tags.move(from: 0, to: 3)
      tags.remove(at: 0)
      tags[1] = "C"
      tags.swapAt(0, 3)
    }
    #expect(Array(tags) == ["d", "C", "a", "b"])
    #expect(tags.index(of: "a") == 2)
    #expect(tags.first == "d")
    #expect(tags.last == "b")
    #expect(tags.contains("C"))
    try realm.write {
      tags.replaceSubrange(1..<3, with: ["1", "2", "3"])
      tags.removeLast(1)
    }
    #expect(Array(tags) == ["d", "1", "2", "3"])
    try realm.write {
      tags.move(fromOffsets: [0, 2], toOffset: 4)
    }
    #expect(Array(tags) == ["1", "3", "d", "2"])
    try realm.write { ada.tags = List() }
    #expect(tags.isEmpty)
    #expect(ada.tags == tags)
  }
}
