import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

private class NameCard: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.age) var years
}

private struct Warmth: CustomPersistable {
  var degrees: Double
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

private enum Mood: Int, RealmEnum {
  case good = 1
  case bad
}

private class Moved: Object {
  @Persisted var mood = Mood.good
  @Persisted var warmth: Warmth
  @Persisted var scratch = "none"
  @Persisted var notes: List<String>
  @Persisted var kept = 1
  let maybe = RealmOptional<Mood>()
  override class func ignoredProperties() -> [String] { ["scratch", "notes"] }
}

private final class Noted: Object, Codable {
  @Persisted var at: Date
  @Persisted var bytes: Data
  @Persisted var maybe: Date?
  enum CodingKeys: String, CodingKey { case at, bytes }
}

/// Code written for RealmSwift behaves and reports as it does there.
@Suite("code that comes from RealmSwift")
struct CompatibilityTests {
  private func people() throws -> Realm {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for (id, name, age) in [(1, "Ada", 36), (2, "Bob", 20), (3, "Eve", 50)] {
        realm.create(
          Person.self, value: ["id": id, "name": name, "age": age, "dogs": [["name": "\(name)'s dog", "weight": 2.5]]])
      }
    }
    return realm
  }

  @Test("a predicate is a value that filters, finds, and compares")
  func predicates() throws {
    let people = try people().objects(Person.self)
    let adults = RealmPredicate(format: "age > %@ AND name BEGINSWITH %@", 30, "A")
    #expect(people.filter(adults).map(\.name) == ["Ada"])
    #expect(people.index(matching: adults) == 0)
    #expect(adults == RealmPredicate(format: "age > 30 && name BEGINSWITH 'A'"))
    #expect(adults != RealmPredicate(format: "age > 31 && name BEGINSWITH 'A'"))
    #expect(people.filter(RealmPredicate(value: false)).isEmpty)
    #expect(people.filter(NSPredicate(value: true)).count == 3)
  }

  @Test("values are read and written by dot-joined names, with operators over collections")
  func keyPaths() throws {
    let realm = try people()
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    #expect(people.value(forKeyPath: "name") as? [String] == ["Ada", "Bob", "Eve"])
    #expect(people.value(forKeyPath: "@count") as? Int == 3)
    #expect(people.value(forKeyPath: "@sum.age") as? Int == 106)
    #expect(people.value(forKeyPath: "@max.age") as? Int == 50)
    let ada = try #require(people.first)
    #expect(ada.value(forKeyPath: "dogs.@count") as? Int == 1)
    try realm.write { ada.setValue("Rex", forKeyPath: "dogs.name") }
    let names: [AnyObject] = ada.dogs.value(forKey: "name")
    #expect(names.map { $0 as? String } == ["Rex"])
    #expect(people.max(ofProperty: "age") as NSNumber? == 50)
    #expect(people.sum(ofProperty: "age") as NSNumber == 106)
  }

  @Test("objects with a key are equal as rows, objects without as instances")
  func equality() throws {
    let realm = try people()
    let (ada, again) = (realm.objects(Person.self).first, realm.objects(Person.self).first)
    #expect(ada == again)
    #expect(ada?.hash == again?.hash)
    #expect(ada?.isEqual(again) == true)
    let dog = try #require(realm.objects(Dog.self).first)
    let same = try #require(realm.objects(Dog.self).first)
    #expect(dog != same)
    #expect(dog.isSameObject(as: same))
    #expect(dog == dog)
    #expect(dog.freeze() == same.freeze(), "frozen objects never change and are equal as rows")
    #expect(realm.objects(Dog.self).index(of: same) == 0)
  }

  @Test("generic code fetches objects and projections, and orders both by key paths")
  func fetching() throws {
    func all<T: RealmFetchable>(_ type: T.Type, _ realm: Realm) -> Results<T> { realm.objects(type) }
    let realm = try people()
    #expect(all(Person.self, realm).count == 3)
    #expect(NameCard.className() == "Person")
    let cards = all(NameCard.self, realm).sorted(by: \.years, ascending: false)
    #expect(cards.map(\.title) == ["Eve", "Ada", "Bob"])
    #expect(all(NameCard.self, realm).sectioned(by: \.title).allKeys == ["Ada", "Bob", "Eve"])
    #expect(_name(for: \NameCard.years) == "years")
    #expect(_name(for: \Person.age) == "age")
  }

  @Test("an enum without a first case, a type that names its stored form by its members, and ignored wrappers work")
  func declarations() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "moved", objectTypes: [Moved.self]))
    let moved = Moved(value: ["mood": Mood.bad, "warmth": 36.6])
    moved.scratch = "before"
    moved.notes.append("kept in memory")
    try realm.write { realm.add(moved) }
    #expect(moved.mood == .bad)
    #expect(moved.warmth.degrees == 36.6)
    #expect(moved.maybe.value == nil)
    #expect(moved.scratch == "before")
    #expect(Array(moved.notes) == ["kept in memory"])
    moved.scratch = "after"
    #expect(moved.scratch == "after", "what is ignored changes outside of transactions")
    #expect(realm.schema["Moved"]?.properties.map(\.name) == ["mood", "warmth", "kept", "maybe"])
    let other = try #require(realm.objects(Moved.self).first)
    #expect(other.scratch == "none")
    #expect(other.notes.isEmpty)
    #expect(other.mood == .bad)
    #expect(realm.schema["Moved"].map { $0.objectClass === Moved.self } == true)
  }

  @Test("an object in a mixed value shows its stored names")
  func dynamicObjects() throws {
    let realm = try people()
    let ada = try #require(realm.objects(Person.self).first)
    #expect(AnyRealmValue.object(ada).dynamicObject?.name as? String == "Ada")
    #expect(AnyRealmValue.int(1).dynamicObject == nil)
    #expect(AnyRealmValue.object(Person()).dynamicObject == nil)
  }

  @Test("dates and data are coded the way the coder is told to")
  func coding() throws {
    let noted = Noted(value: ["at": Date(timeIntervalSince1970: 0), "bytes": Data("foo".utf8)])
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(noted), as: UTF8.self)
    #expect(text == #"{"at":"1970-01-01T00:00:00Z","bytes":"Zm9v"}"#)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let read = try decoder.decode(Noted.self, from: Data(text.utf8))
    #expect(read.at == noted.at)
    #expect(read.bytes == noted.bytes)
    #expect(read.maybe == nil)
  }

  @Test("a class describes its stored properties, without inverse relationships")
  func describing() {
    #expect(Dog().objectSchema.properties.map(\.name) == ["name", "weight"])
  }
}
