import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class Shown: Projection<Half> {
  @Projected(\Half.kept) var kept
  @Projected(\Half.scratch) var scratch
}

private final class Half: Object {
  @Persisted var kept: Int
  @Persisted var any: AnyRealmValue
  var scratch = 0
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Reasons, schemas and texts are RealmSwift's.
@Suite("reasons and texts that code from RealmSwift expects")
struct MovedReasonTests {
  @Test("a program ends with RealmSwift's reason")
  func reasons() async throws {
    func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).objects(Person.self).sorted(byKeyPath: "none")
    }
    #expect(text(unknown).contains("Cannot sort on key path 'none': property 'Person.none' does not exist"))
    let inner = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: memoryConfiguration()).objects(Person.self).distinct(by: ["name.age"])
    }
    #expect(
      text(inner).contains(
        "Cannot distinct on key path 'name.age': property 'Person.name' of type 'string' may only be the final property"
      ))
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
      person.freeze().name = "Eve"
    }
    #expect(text(frozen).contains("Attempting to modify a frozen object - call thaw on the Object instance first."))
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().freeze()
    }
    #expect(
      text(unmanaged).contains("This method may only be called on RLMArray instances retrieved from an RLMRealm"))
    let projected = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shown(projecting: Half())
    }
    #expect(text(projected).contains("@Projected property 'scratch' must be a part of Realm object"))
  }

  @Test("an opening error has RealmSwift's code and message")
  func openingErrors() throws {
    func error(_ path: String, readOnly: Bool = false) -> Realm.Error? {
      do {
        _ = try Realm(
          configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), readOnly: readOnly, objectTypes: []))
        return nil
      } catch { return error as? Realm.Error }
    }
    let notFolder = error("/dev/null/foo")
    #expect(notFolder?.code == .fileOperationFailed)
    #expect(
      notFolder?.localizedDescription
        == "Failed to open file at path '/dev/null/foo.lock': parent path is not a directory")
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("a.realm").path
    let missing = error(path, readOnly: true)
    #expect(missing?.code == .fileNotFound)
    #expect(missing?.localizedDescription == "Failed to open Realm file at path '\(path)': No such file or directory")
    try Data("a".utf8).write(to: URL(fileURLWithPath: path))
    let small = error(path)
    #expect(small?.code == .invalidDatabase)
    #expect(
      small?.localizedDescription
        == "Failed to open Realm file at path '\(path)': file is non-empty but too small (1 bytes) to be a valid Realm."
    )
  }

  @Test("a primary key is indexed, and a mixed property not optional")
  func schemas() throws {
    #expect(Person.sharedSchema()?["id"]?.isIndexed == true)
    #expect(Person().objectSchema["id"]?.isIndexed == true)
    #expect(try Realm(configuration: memoryConfiguration()).schema["Person"]?["id"]?.isIndexed == true)
    #expect(Half.sharedSchema()?["any"]?.isOptional == false)
    #expect(Dog.sharedSchema()?.properties.map(\.name) == ["name", "weight"])
    #expect(Object.sharedSchema() == nil)
    #expect(EmbeddedObject.sharedSchema() == nil)
  }

  @Test("a frozen object is another than the live one")
  func frozenObjects() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let frozen = person.freeze()
    #expect(frozen != person)
    #expect(!frozen.isSameObject(as: person))
    #expect(frozen == person.freeze())
    try realm.write { person.age = 2 }
    #expect(frozen != person.freeze())
    #expect(frozen.thaw() == person)
  }

  @Test("strings are greater than nil")
  func aboveNil() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for (id, name) in [(1, "a"), (2, nil)] { realm.create(Person.self, value: ["id": id, "nickname": name as Any]) }
    }
    let people = realm.objects(Person.self)
    #expect(people.where { $0.nickname > nil }.map(\.id) == [1])
    #expect(people.where { $0.nickname >= nil }.map(\.id) == [1, 2])
    #expect(people.where { $0.nickname < nil }.isEmpty)
    #expect(people.filter("nickname > nil").map(\.id) == [1])
    #expect(people.filter("NOT nickname > %@", NSNull()).map(\.id) == [2])
  }

  @Test("a transaction that is begun on the main thread is ended by another instance of the realm")
  @MainActor
  func transactions() throws {
    let configuration = memoryConfiguration()
    let keeper = try Realm(configuration: configuration).file
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).create(Person.self, value: ["id": 1])
    try Realm(configuration: configuration).commitWrite()
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
    withExtendedLifetime(keeper) {}
  }

  @Test("objects and collections are described as in RealmSwift")
  func descriptions() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let person = Person(value: ["id": 1, "name": "Ada", "dogs": [["Rex", 2.5]], "tags": ["x"]])
    func shape(_ text: String) -> String {
      text.replacingOccurrences(of: "0x[0-9a-f]+", with: "0x…", options: .regularExpression)
    }
    let expected = """
      Person {
      \tid = 1;
      \tname = Ada;
      \tage = 0;
      \tscore = 1.5;
      \tnickname = (null);
      \tborn = (null);
      \tdogs = List<Dog> <0x…> (
      \t\t[0] Dog {
      \t\t\tname = Rex;
      \t\t\tweight = 2.5;
      \t\t}
      \t);
      \ttags = List<string> <0x…> (
      \t\t[0] x
      \t);
      \tfriend = (null);
      \thome = (null);
      \thomes = List<Address> <0x…> (
      \t
      \t);
      }
      """
    #expect(shape(person.description) == expected)
    try realm.write { realm.add(person) }
    #expect(shape(person.description) == expected)
    #expect(
      shape(person.dogs.description) == "List<Dog> <0x…> (\n\t[0] Dog {\n\t\tname = Rex;\n\t\tweight = 2.5;\n\t}\n)")
    let everything = Everything(value: ["flag": true, "data": Data([1, 0xAB]), "decimal": "1.5e40"])
    #expect(everything.description.contains("\tflag = 1;\n"))
    #expect(everything.description.contains("\tdata = <01ab — 2 total bytes>;\n"))
    #expect(everything.description.contains("\tdecimal = 1.5E40;\n"))
    try realm.write { realm.delete(person) }
    #expect(person.description == "[invalid object]")
  }

  @Test("a map finds a key of any type that is a string")
  func mapKeys() {
    let map = Map<String, Int>()
    map["a"] = 1
    #expect(map.object(forKey: "a" as AnyObject) as? Int == 1)
    #expect(map.object(forKey: "b" as AnyObject) == nil)
    #expect(map.object(forKey: NSNumber(value: 1)) == nil)
    #expect(map.isEqual(map))
    #expect(!map.isEqual(Map<String, Int>(["b": 2])))
  }

  @Test("regions of the earth are arguments among others")
  func regions() throws {
    let circle = try #require(GeoCircle(center: (1, 2), radiusInRadians: 0.1))
    let argument: any CVarArg = circle
    #expect(RealmPredicate(format: "home IN %@", argument).predicateFormat.contains("geoCircle"))
    let shape: any RLMGeospatial = circle
    #expect(shape is GeoCircle)
  }
}
