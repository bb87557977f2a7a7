import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class OldOwner: Object {
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Owner" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Owner: Object {
  @Persisted var name: String
  @Persisted var home: Plot?
  @Persisted var plots: List<Plot>
  @Persisted var badge: Badge?
  @Persisted var any: AnyRealmValue
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Plot: EmbeddedObject {
  @Persisted var street: String
  @Persisted var city: String
}

private final class Badge: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var next: Badge?
  @Persisted var owners: List<Owner>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Objects that are known by the names of their properties take what code for RealmSwift gives them.
@Suite("dynamic objects of code that comes from RealmSwift")
struct MovedDynamicTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Owner.self, Plot.self, Badge.self]))
  }

  @Test("a migration sets properties to unmanaged objects of model classes, which are copied")
  func migration() throws {
    let folder = try TemporaryFolder()
    try {
      let old = try Realm(configuration: folder.configuration(types: [OldOwner.self]))
      try old.write { for name in ["Ada", "Bob"] { old.create(OldOwner.self, value: [name]) } }
    }()
    var configuration = folder.configuration(types: [Owner.self, Plot.self, Badge.self])
    configuration.schemaVersion = 5
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in
        guard old?["name"] as? String == "Ada" else { return }
        let plot = Plot(value: ["Broadway", "New York"])
        new?["home"] = plot
        new?["plots"] = [plot, Plot(value: ["street": "Side"])]
        let badge = Badge(value: ["number": 7])
        badge.next = badge
        new?["badge"] = badge
        new?["any"] = Badge(value: ["number": 8])
      }
    }
    let realm = try Realm(configuration: configuration)
    let ada = try #require(realm.objects(Owner.self).filter("name == 'Ada'").first)
    #expect(ada.home?.city == "New York")
    #expect(ada.plots.map(\.street) == ["Broadway", "Side"])
    #expect(ada.badge?.number == 7)
    #expect(ada.badge?.next == ada.badge)
    #expect(ada.any.object(Badge.self)?.number == 8)
    #expect(realm.objects(Badge.self).count == 2)
    #expect(realm.objects(Owner.self).filter("name == 'Bob'").first?.home == nil)
  }

  @Test("dynamicCreate takes an object, and literals in the place of links")
  func creating() throws {
    let realm = try realm()
    let badge = Badge(value: ["number": 1, "owners": [["name": "Eve", "home": ["street": "S"]]]])
    try realm.write {
      let made = realm.dynamicCreate("Badge", value: badge)
      #expect(badge.realm == nil)
      #expect((made["owners"] as? List<DynamicObject>)?.first?["name"] as? String == "Eve")
      realm.dynamicCreate("Badge", value: ["number": 2, "next": made, "owners": [["name": "Kim"], ["Lee"]]])
      realm.dynamicCreate("Badge", value: ["number": 2, "next": NSNull()], update: .modified)
    }
    #expect(realm.object(ofType: Badge.self, forPrimaryKey: 1)?.owners.first?.home?.street == "S")
    let second = try #require(realm.object(ofType: Badge.self, forPrimaryKey: 2))
    #expect(second.owners.map(\.name) == ["Kim", "Lee"])
    #expect(second.next == nil)
    let other = try self.realm()
    try other.write { _ = other.dynamicCreate("Badge", value: second) }
    #expect(other.object(ofType: Badge.self, forPrimaryKey: 2)?.owners.count == 2)
    try other.write { other.create(Badge.self, value: realm.dynamicObjects("Badge")[0], update: .modified) }
    #expect(other.objects(Badge.self).map(\.number) == [2, 1])
  }

  @Test("a link of a dynamic object is an object of the class that the realm has")
  func links() throws {
    let realm = try realm()
    try realm.write { _ = realm.create(Owner.self, value: ["name": "Eve", "badge": [1], "home": ["S", "C"]]) }
    let owner = try #require(realm.dynamicObjects("Owner").first)
    #expect((owner["badge"] as? Badge)?.number == 1)
    #expect((owner.home as? Plot)?.street == "S")
    #expect(owner["any"] == nil)
  }

  @Test("a live embedded object is not set again elsewhere")
  func embedded() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try MovedDynamicTests().realm()
      try realm.write {
        let owner = realm.create(Owner.self, value: ["name": "Eve", "home": ["S", "C"]])
        realm.dynamicCreate("Owner", value: ["name": "Kim"])["home"] = owner.home
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Can't set link to existing managed embedded object."))
  }
}
