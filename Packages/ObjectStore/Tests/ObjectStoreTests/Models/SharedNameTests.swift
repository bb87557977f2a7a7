import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Two classes over one table, with names of their own for its columns.
private final class Painter: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var best: Painting?
  @Persisted(originProperty: "painter") var works: LinkingObjects<Painting>
  override class func _realmObjectName() -> String? { "Shared Artist" }
  override class func propertiesMapping() -> [String: String] { ["name": "full name", "best": "work"] }
}
private final class Sculptor: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var title: String
  @Persisted var masterpiece: Sculpture?
  @Persisted(originProperty: "sculptor") var pieces: LinkingObjects<Sculpture>
  override class func _realmObjectName() -> String? { "Shared Artist" }
  override class func propertiesMapping() -> [String: String] {
    ["number": "id", "title": "full name", "masterpiece": "work"]
  }
}
private final class Painting: Object {
  @Persisted var painter: Painter?
  override class func _realmObjectName() -> String? { "Shared Work" }
  override class func propertiesMapping() -> [String: String] { ["painter": "artist"] }
}
private final class Sculpture: Object {
  @Persisted var sculptor: Sculptor?
  override class func _realmObjectName() -> String? { "Shared Work" }
  override class func propertiesMapping() -> [String: String] { ["sculptor": "artist"] }
}

/// Two classes that only have their name in common, and one that links to each.
private enum Cats {
  final class Namesake: Object { @Persisted var lives: Int }
  final class CatOwner: Object { @Persisted var pet: Namesake? }
  final class CatFinder: Object { @Persisted var found: AnyRealmValue }
}
private enum Dogs {
  final class Namesake: Object { @Persisted var bark: String }
  final class DogOwner: Object { @Persisted var pet: Namesake? }
  final class DogFinder: Object { @Persisted var found: AnyRealmValue }
}

@Suite("classes of one name")
struct SharedNameTests {
  @Test("a mixed link shows the class of its name that the realm was opened with")
  func mixedLinks() throws {
    func configuration(_ types: [ObjectBase.Type]) -> Realm.Configuration {
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
    }
    let cats = try Realm(configuration: configuration([Cats.Namesake.self, Cats.CatFinder.self]))
    let dogs = try Realm(configuration: configuration([Dogs.Namesake.self, Dogs.DogFinder.self]))
    try cats.write {
      let finder = cats.create(Cats.CatFinder.self)
      finder.found = .object(cats.create(Cats.Namesake.self, value: ["lives": 9]))
    }
    try dogs.write {
      let finder = dogs.create(Dogs.DogFinder.self)
      finder.found = .object(dogs.create(Dogs.Namesake.self, value: ["bark": "woof"]))
    }
    #expect(cats.objects(Cats.CatFinder.self).first?.found.object(Cats.Namesake.self)?.lives == 9)
    #expect(dogs.objects(Dogs.DogFinder.self).first?.found.object(Dogs.Namesake.self)?.bark == "woof")
  }

  @Test("two classes with the same columns are two views of one table")
  func sameTable() throws {
    for types in [[Painter.self, Sculptor.self, Painting.self, Sculpture.self], nil] as [[ObjectBase.Type]?] {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
      try realm.write {
        let painter = realm.create(Painter.self, value: ["id": 1, "name": "Ada"])
        painter.best = realm.create(Painting.self, value: ["painter": painter])
        realm.create(Sculptor.self, value: ["number": 2, "title": "Rex"])
      }
      #expect(realm.objects(Painter.self).map(\.name) == ["Ada", "Rex"])
      let ada = try #require(realm.object(ofType: Sculptor.self, forPrimaryKey: 1))
      #expect(ada.title == "Ada")
      #expect(ada.pieces.count == 1)
      #expect(ada.masterpiece?.sculptor?.isSameObject(as: ada) == true)
      #expect(realm.objects(Sculptor.self).filter("title == 'Rex'").first?.number == 2)
      #expect(realm.objects(Painter.self).where { $0.best.painter.name == "Ada" }.count == 1)
      #expect(realm.objects(Sculptor.self).sorted(byKeyPath: "title", ascending: false).first?.number == 2)
    }
  }

  @Test("a realm that names no classes leaves out what cannot share, until it is used")
  func differentTables() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    let realm = try Realm(configuration: configuration)
    let names = Set(realm.schema.objectSchema.map(\.className))
    #expect(names.contains("Shared Artist"))
    #expect(names.isDisjoint(with: ["Namesake", "CatOwner", "DogOwner"]))
    try realm.write { realm.create(Cats.CatOwner.self, value: ["pet": ["lives": 7]]) }
    #expect(realm.objects(Cats.Namesake.self).first?.lives == 7)
    #expect(try Realm(configuration: configuration).objects(Cats.CatOwner.self).count == 1)
  }

  @Test("both in one realm stop the program")
  func bothAtOnce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "both", objectTypes: [Cats.Namesake.self, Dogs.Namesake.self]))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Two model classes with different properties are named 'Namesake'."))
  }
}
