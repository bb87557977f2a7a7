import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A class that is embedded in one version of a program and has objects of its own in another.
private enum Apart {
  final class House: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var room: Room?
    @Persisted var others: List<Room>
    @Persisted var anything: AnyRealmValue
    override class func _realmObjectName() -> String? { "House" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  final class Room: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var size: Int
    override class func _realmObjectName() -> String? { "Room" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
private enum Within {
  final class House: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var room: Room?
    @Persisted var others: List<Room>
    @Persisted var anything: AnyRealmValue
    override class func _realmObjectName() -> String? { "House" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  final class Room: EmbeddedObject {
    @Persisted var name: String
    @Persisted var size: Int
    override class func _realmObjectName() -> String? { "Room" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

@Suite("classes that become embedded, and objects of their own")
struct EmbeddingMigrationTests {
  private let folder: TemporaryFolder

  private var apart: [ObjectBase.Type] { [Apart.House.self, Apart.Room.self] }
  private var within: [ObjectBase.Type] { [Within.House.self, Within.Room.self] }

  init() throws { folder = try TemporaryFolder() }

  /// Makes the house unless it is there, and changes it.
  private func fill(_ change: (Realm, Apart.House) -> Void = { _, _ in }) throws {
    let realm = try Realm(configuration: folder.configuration(types: apart))
    try realm.write {
      let house =
        realm.object(ofType: Apart.House.self, forPrimaryKey: 1)
        ?? realm.create(
          Apart.House.self,
          value: ["id": 1, "room": ["name": "hall", "size": 9], "others": [["name": "attic"], ["name": "cellar"]]])
      change(realm, house)
    }
  }

  @Test("objects with one parent move into it, and die with it from then on")
  func embedding() throws {
    try fill()
    let realm = try folder.migrated(to: within)
    let house = try #require(realm.objects(Within.House.self).first)
    #expect(house.room?.name == "hall")
    #expect(house.room?.size == 9)
    #expect(house.others.map(\.name) == ["attic", "cellar"])
    #expect(realm.schema["Room"]?.isEmbedded == true)
    #expect(realm.schema["Room"]?.primaryKey == nil)
    try realm.write {
      house.others.remove(at: 0)
      house.room = Within.Room(value: ["name": "porch"])
    }
    #expect(house.room?.name == "porch")
    #expect(house.others.map(\.name) == ["cellar"])
    let table = try #require(realm.view.catalog["Room"]?.table)
    #expect(realm.view.readView.reader.rowCount(of: table) == 2)
    try realm.write { realm.delete(house) }
    #expect(realm.view.readView.reader.rowCount(of: table) == 0)
    try realm.file.store.verify()
  }

  @Test("without exactly one parent each, the file stays as it was and the error says what to do")
  func refusals() throws {
    func expect(_ words: String) {
      #expect {
        _ = try folder.migrated(to: within)
      } throws: { "\($0)".contains(words) && "\($0)".contains("in the migrationBlock") }
    }
    try fill { realm, _ in realm.create(Apart.Room.self, value: ["name": "lost"]) }
    expect("Cannot convert 'Room' to embedded: at least one object has no incoming links and would be deleted")
    try fill { realm, house in
      realm.delete(realm.objects(Apart.Room.self).where { $0.name == "lost" })
      house.others.append(house.others[0])
    }
    expect("Cannot convert 'Room' to embedded: at least one object has more than one incoming link")
    try fill { _, house in
      house.others.remove(at: 2)
      house.anything = house.room.map { .object($0) } ?? .none
    }
    expect("'House.anything' cannot hold embedded objects")
    let realm = try Realm(configuration: folder.configuration(types: apart))
    #expect(realm.objects(Apart.Room.self).count == 3)
  }

  @Test("the block makes one object for each parent, and deletes those without")
  func blocks() throws {
    try fill { realm, house in
      realm.create(Apart.Room.self, value: ["name": "lost"])
      realm.create(Apart.House.self, value: ["id": 2]).room = house.room
    }
    let realm = try folder.migrated(to: within) { migration in
      migration.enumerateObjects(ofType: "House") { old, new in
        guard old?["id"] as? Int == 2, let room = old?["room"] as? MigrationObject else { return }
        new?["room"] = migration.create("Room", value: ["name": room["name"] ?? "", "size": room["size"] ?? 0])
      }
      migration.enumerateObjects(ofType: "Room") { old, new in
        if let new, old?["name"] as? String == "lost" { migration.delete(new) }
      }
    }
    #expect(realm.objects(Within.House.self).sorted(byKeyPath: "id").map { $0.room?.size } == [9, 9])
  }

  @Test("embedded objects become objects of their own, which stay when a parent goes")
  func separating() throws {
    do {
      let realm = try Realm(configuration: folder.configuration(types: within))
      try realm.write {
        realm.create(
          Within.House.self,
          value: ["id": 1, "room": ["name": "hall", "size": 9], "others": [["name": "attic"], ["name": "cellar"]]])
      }
    }
    var configuration = folder.configuration(version: 1, types: apart)
    configuration.migrationBlock = { _, _ in }
    let realm = try Realm(configuration: configuration)
    let house = try #require(realm.objects(Apart.House.self).first)
    #expect(house.room?.name == "hall")
    #expect(house.others.map(\.name) == ["attic", "cellar"])
    #expect(realm.object(ofType: Apart.Room.self, forPrimaryKey: "attic")?.size == 0)
    try realm.write {
      realm.delete(house)
      realm.create(Apart.Room.self, value: ["name": "porch"])
    }
    #expect(realm.objects(Apart.Room.self).map(\.name).sorted() == ["attic", "cellar", "hall", "porch"])
    try realm.file.store.verify()
  }
}
