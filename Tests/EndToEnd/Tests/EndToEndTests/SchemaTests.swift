import Foundation
import ObjectStore
import RecordStore
import Testing

@testable import SyncClient

/// The classes of releases of one app, all stored under the names of the first.
private enum First {
  final class Hero: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var note: String?
    @Persisted var place: Place?
    override class func _realmObjectName() -> String? { "Hero" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  final class Place: Object {
    @Persisted(primaryKey: true) var _id: Int
    override class func _realmObjectName() -> String? { "Place" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// A property and a class more; `age`, `note` and a whole class gone.
private enum Added {
  final class Hero: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted(indexed: true) var rank: Int?
    @Persisted var band: Band?
    override class func _realmObjectName() -> String? { "Hero" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  final class Band: Object {
    @Persisted(primaryKey: true) var _id: Int
    override class func _realmObjectName() -> String? { "Band" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

private final class OtherType: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String
  @Persisted var age: String
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class NowOptional: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String?
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class NowRequired: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var note: String
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class OtherKey: Object {
  @Persisted var _id: Int
  @Persisted(primaryKey: true) var name: String
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class NowList: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var age: List<Int>
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
private final class NowEmbedded: EmbeddedObject {
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Hero" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private actor Opener {
  func open(_ configuration: Realm.Configuration) async throws {
    _ = try await Realm.open(configuration: configuration)
  }
}

/// Changes of the classes of a synchronised realm.
@Suite(.serialized)
struct SchemaTests {
  /// A device with the classes of the first release and a hero on the server.
  private func filled(_ server: RealServer) async throws -> Realm.Configuration {
    let user = try await OpeningTests.user("one", server)
    var configuration = OpeningTests.configuration(user, server)
    configuration.objectTypes = [First.Hero.self, First.Place.self]
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(First.Hero(value: ["_id": 1, "name": "Ada", "age": 36, "note": "x"])) }
    try await realm.syncSession?.waitForUpload()
    realm.syncSession?.close()
    return configuration
  }

  @Test(
    "what others could not follow is refused on the device, with the property's name and what to do; nothing is sent")
  func destructive() async throws {
    let server = try await RealServer()
    var configuration = try await filled(server)
    let session = try #require(try Realm(configuration: configuration).syncSession)
    try await session.waitForDownload()
    let before = try ClientHistory(RealmFile.open(configuration.syncConfiguration?.location ?? .inMemory(name: "")))
      .newestVersion()
    let changes: [(ObjectBase.Type, String)] = [
      (OtherType.self, "'Hero.age' has been changed from 'single int' to 'single string'"),
      (NowOptional.self, "'Hero.name' has been made optional"),
      (NowRequired.self, "'Hero.note' has been made required"),
      (OtherKey.self, "Primary key of class 'Hero' has changed"),
      (NowList.self, "'Hero.age' has been changed from 'single int' to 'list int'"),
      (NowEmbedded.self, "Class 'Hero' has become embedded"),
    ]
    for (type, reason) in changes {
      configuration.objectTypes = [type]
      let opening = configuration
      // An actor of its own: nobody there has the realm open with the classes of before.
      let error = await #expect(throws: Realm.Error.self) { try await Opener().open(opening) }
      #expect(error?.code == .schemaMismatch, "\(type)")
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "opened")")
      #expect(error?.message.contains("another name") == true)
      #expect(error?.message.contains("schemaVersion") == false)
    }
    let file = try RealmFile.open(configuration.syncConfiguration?.location ?? .inMemory(name: ""))
    #expect(try ClientHistory(file).newestVersion() == before)
    #expect(session.state == .active)
    #expect(session.status.lastError == nil)
    session.close()
    await server.stop()
  }

  @Test("new classes and properties go through, old ones are passed over, and the first release goes on beside")
  func additive() async throws {
    let server = try await RealServer()
    let old = try await filled(server)
    let user = try await OpeningTests.user("two", server, register: false)
    var new = OpeningTests.configuration(user, server)
    new.objectTypes = [Added.Hero.self, Added.Band.self]
    new.schemaVersion = 7
    try await Self.visit(new) { realm in
      try realm.write {
        #expect(realm.object(ofType: Added.Hero.self, forPrimaryKey: 1)?.name == "Ada")
        realm.add(Added.Hero(value: ["_id": 2, "name": "Bob", "rank": 3, "band": ["_id": 9]]))
      }
    }
    try await Self.visit(old) { realm in
      let bob = realm.object(ofType: First.Hero.self, forPrimaryKey: 2)
      // Fields that the new release does not know are empty in its objects.
      #expect(bob?.name == "Bob")
      #expect(bob?.age == 0)
      #expect(bob?.note == nil)
      #expect(bob?.place == nil)
      #expect(realm.object(ofType: First.Hero.self, forPrimaryKey: 1)?.age == 36)
    }
    await server.stop()
  }

  /// Opens, downloads, does something, and waits until the server has it.
  private static func visit(
    _ configuration: Realm.Configuration, _ body: (Realm) throws -> Void
  ) async throws {
    let session = try #require(try Realm(configuration: configuration).syncSession)
    try await session.waitForDownload()
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    try body(realm)
    try await session.waitForUpload()
  }

  @Test("a synchronised realm takes no migration")
  func migration() async throws {
    let server = try await RealServer()
    var configuration = OpeningTests.configuration(try await OpeningTests.user("one", server), server)
    configuration.migrationBlock = { _, _ in }
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("migrationBlock") == true)
    await server.stop()
  }
}
