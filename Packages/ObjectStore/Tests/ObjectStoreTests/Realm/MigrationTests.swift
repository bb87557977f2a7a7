import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// The classes of a program before and after a change, under one stored name.
enum Before {
  class Hero: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var age: Int?
    @Persisted var gone: Double
    override class func _realmObjectName() -> String? { "Hero" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
enum After {
  class Hero: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var full: String
    @Persisted var first: String
    @Persisted var age: Int
    @Persisted(indexed: true) var rank: String
    override class func _realmObjectName() -> String? { "Hero" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  class Place: Object {
    @Persisted var name: String
  }
}

private class NeverUsed: Object {
  @Persisted var name: String
}
private final class NeverUsedEither: NeverUsed {
  @Persisted var more: Int
}

@Suite("schema changes")
struct MigrationTests {
  private func filled() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration(types: [Before.Hero.self]))
    try realm.write {
      realm.create(Before.Hero.self, value: [1, "Ada", "Lovelace", 36, 1.0])
      realm.create(Before.Hero.self, value: ["id": 2, "first": "Bob", "last": "Ross"])
    }
    return folder
  }

  @Test("a changed class needs a higher version")
  func mismatch() throws {
    let folder = try filled()
    #expect {
      _ = try Realm(configuration: folder.configuration(types: [After.Hero.self]))
    } throws: { error in
      let text = (error as? Realm.Error)?.message ?? ""
      return Realm.Error.schemaMismatch ~= error && text.contains("'Hero.full' has been added")
        && text.contains("'Hero.gone' has been removed") && text.contains("'Hero.age' has been made required")
    }
  }

  @Test("a migration sees the data as they were and makes them what they become")
  func migration() throws {
    let folder = try filled()
    var configuration = folder.configuration(version: 2, types: [After.Hero.self, After.Place.self])
    configuration.migrationBlock = { migration, version in
      guard version == 0 else { return }
      migration.enumerateObjects(ofType: "Hero") { old, new in
        new?["full"] = "\(old?["first"] ?? "") \(old?["last"] ?? "")"
        new?["rank"] = (old?["gone"] as? Double) == 1.0 ? "old" : "new"
      }
      migration.create("Place", value: ["name": "London"])
    }
    let realm = try Realm(configuration: configuration)
    let heroes = realm.objects(After.Hero.self).sorted(byKeyPath: "id")
    #expect(heroes.map(\.full) == ["Ada Lovelace", "Bob Ross"])
    #expect(heroes.map(\.age) == [36, 0])
    #expect(heroes.map(\.first) == ["Ada", "Bob"])
    #expect(realm.objects(After.Hero.self).filter("rank == 'old'").count == 1)
    #expect(realm.objects(After.Place.self).first?.name == "London")
    #expect(realm.object(ofType: After.Hero.self, forPrimaryKey: 2)?.full == "Bob Ross")
    try realm.file.store.verify()
  }

  @Test("a migration enumerates what was and is: nothing that it deleted or created")
  func enumerating() throws {
    let folder = try filled()
    var configuration = folder.configuration(version: 2, types: [After.Hero.self, After.Place.self])
    nonisolated(unsafe) var seen: [String] = []
    configuration.migrationBlock = { migration, _ in
      func look(_ name: String) {
        migration.enumerateObjects(ofType: name) { old, new in
          let key = name == "Hero" ? "id" : "name"
          seen.append("\(old?[key] ?? "none") \(new?[key] ?? "none")")
        }
      }
      migration.create("Hero", value: ["id": 3])
      migration.create("Place", value: ["name": Species.cat])
      look("Hero")
      look("Place")
      migration.enumerateObjects(ofType: "Hero") { old, new in
        if old?["id"] as? Int == 1, let new { migration.delete(new) }
      }
      look("Hero")
      migration.deleteData(forType: "Hero")
      migration.create("Hero", value: ["id": 4])
      look("Hero")
    }
    try {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(After.Hero.self).map(\.id) == [4])
    }()
    #expect(seen == ["1 1", "2 2", "none cat", "2 2"])
    var shrunk = folder.configuration(version: 3, types: [After.Hero.self])
    shrunk.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Place") { old, new in
        seen.append("\(old?["name"] ?? "none") \(new == nil)")
      }
    }
    seen = []
    try Realm.performMigration(for: shrunk)
    #expect(seen == ["cat true"])
  }

  @Test("an older version is refused; a renamed property keeps its data; emptying is an alternative")
  func versions() throws {
    let folder = try filled()
    var raised = folder.configuration(version: 3, types: [After.Hero.self])
    raised.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "Hero", from: "last", to: "full")
    }
    do {
      let realm = try Realm(configuration: raised)
      #expect(realm.objects(After.Hero.self).sorted(byKeyPath: "id").map(\.full) == ["Lovelace", "Ross"])
    }
    #expect(throws: Realm.Error(.schemaMismatch)) {
      _ = try Realm(configuration: folder.configuration(version: 2, types: [After.Hero.self]))
    }
    let other = try filled()
    var emptied = other.configuration(types: [After.Hero.self])
    emptied.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: emptied).isEmpty)
  }

  @Test("without object types a realm has every class of the program, used or not")
  func discovery() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "every class"))
    let names = realm.schema.objectSchema.map(\.className)
    #expect(names.contains("NeverUsed"))
    #expect(names.contains("NeverUsedEither"))
    #expect(names.contains("Person"))
    #expect(!names.contains("Hero"))
  }

  @Test("classes and indexes come without a migration; a file opened again holds what it held")
  func additive() throws {
    let folder = try filled()
    do {
      let realm = try Realm(configuration: folder.configuration(types: [Before.Hero.self, After.Place.self]))
      #expect(realm.objects(After.Place.self).isEmpty)
      #expect(realm.objects(Before.Hero.self).count == 2)
    }
    let again = try Realm(configuration: folder.configuration(types: [Before.Hero.self]))
    #expect(again.object(ofType: Before.Hero.self, forPrimaryKey: 1)?.last == "Lovelace")
  }

  @Test("objects in a migration say of which class they are, before and after")
  func objectSchemas() throws {
    let folder = try filled()
    var configuration = folder.configuration(version: 2, types: [After.Hero.self, After.Place.self])
    nonisolated(unsafe) var seen: [[String]] = []
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Hero") { old, new in
        seen.append(old?.objectSchema.properties.map(\.name) ?? [])
        seen.append(new?.objectSchema.properties.map(\.name) ?? [])
        #expect(old?.objectSchema == migration.oldSchema["Hero"])
        #expect(new?.objectSchema.primaryKey == "id")
        #expect(old?.objectSchema["age"]?.isOptional == true)
        #expect(new?.objectSchema["age"]?.isOptional == false)
      }
      #expect(migration.create("Place").objectSchema.properties.map(\.name) == ["name"])
    }
    _ = try Realm(configuration: configuration)
    #expect(seen.count == 4 && Set(seen[0]) == ["id", "first", "last", "age", "gone"])
    #expect(seen[1] == ["id", "full", "first", "age", "rank"])
  }

  @Test("a realm's schema has the names in code, of classes that the program has")
  func schemaNames() throws {
    let folder = try TemporaryFolder()
    let types: [ObjectBase.Type] = [
      Indexed.self, OldStyle.self, OldParent.self, Item.self, Holder.self, Spot.self,
    ]
    let realm = try Realm(configuration: folder.configuration(types: types))
    func check(_ schema: Schema) {
      #expect(schema["stored_class"]?["int"]?.columnName == "stored_int")
      #expect(schema["stored_class"]?["stored_int"] == nil)
      #expect(schema["OldStyle"]?["parents"]?.type == .linkingObjects)
      #expect(schema["OldParent"]?.properties.map(\.name) == ["name", "children"])
    }
    check(realm.schema)
    check(realm.freeze().schema)
    #expect(realm.schema.objectSchema.count == types.count)
  }
}
