import Foundation
import ObjectStore
import RecordStore
import Permissions
import Testing

@testable import SyncClient

/// A class without a primary key.
private final class Scrap: Object {
  @Persisted var text: String
  @Persisted var item: SyncedItem?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Copies of realms for other users, other realms, and none.
@Suite(.serialized)
struct CopyTests {
  private let server: RealServer

  init() async throws { server = try await RealServer() }

  private func user(_ name: String) async throws -> SyncUser {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    return try await SyncUser.logIn(
      with: .usernamePasswordCreatingIfMissing(username: name, password: "secret 1"), server: server.url,
      manager: manager)
  }

  private func configuration(_ user: SyncUser, _ path: String, file: String? = nil) -> Realm.Configuration {
    var configuration = user.configuration(realmURL: server.realm(path), fullSynchronization: true)
    configuration.objectTypes = [SyncedItem.self, Scrap.self]
    if let file { configuration.fileURL = server.folder.appendingPathComponent(file) }
    return configuration
  }

  private func local(_ file: String) throws -> Realm.Configuration {
    try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
    return Realm.Configuration(
      fileURL: server.folder.appendingPathComponent(file), objectTypes: [SyncedItem.self, Scrap.self])
  }

  private func add(_ count: Int, from first: Int = 0, to configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for key in first..<first + count {
        let item = realm.create(SyncedItem.self, value: ["_id": key, "title": "item \(key)", "tags": ["a", "b"]])
        realm.create(Scrap.self, value: ["text": "scrap \(key)", "item": item])
      }
    }
  }

  /// The contents of a realm: keys, tags, and each scrap with its links.
  private func shown(_ configuration: Realm.Configuration) throws -> [String] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    return realm.objects(SyncedItem.self).map { "\($0._id) \($0.title) \(Array($0.tags))" }.sorted()
      + realm.objects(Scrap.self).map { "\($0.text) \($0.item?._id ?? -1)" }.sorted()
  }

  private func session(_ configuration: Realm.Configuration) throws -> SyncSession {
    try #require(try Realm(configuration: configuration).syncSession)
  }

  @Test("a copy for another user of the realm continues without downloading its contents again")
  func anotherUser() async throws {
    let (ann, ben) = (try await user("ann"), try await user("ben"))
    let path = "/\(ann.identity ?? "")/shared"
    let anns = configuration(ann, path)
    try add(300, to: anns)
    try await session(anns).waitForUpload()
    try await ann.apply(SyncPermission(realmPath: path, username: "ben", accessLevel: .write))
    let bens = configuration(ben, path, file: "copied.realm")
    try Realm(configuration: anns).writeCopy(configuration: bens)
    #expect(try shown(bens) == shown(anns))
    let copied = try session(bens)
    try await copied.waitForDownload()
    // A full download would be 300 items and 300 scraps.
    #expect(copied.status.transfer.downloaded < 1_000, "\(copied.status.transfer)")
    #expect(copied.status.resets == 0)
    #expect(copied.status.lastError == nil)
    try add(5, from: 1_000, to: bens)
    try add(5, from: 2_000, to: anns)
    for configuration in [anns, bens] { try await session(configuration).waitForUpload() }
    for configuration in [anns, bens] { try await session(configuration).waitForDownload() }
    #expect(try shown(bens) == shown(anns))
    #expect(try Realm(configuration: bens).objects(SyncedItem.self).count == 310)
    #expect(copied.status.transfer.uploaded < 5_000, "\(copied.status.transfer)")
    for user in [ann, ben] { try user.manager.client().shutDown() }
    await server.stop()
  }

  @Test("a copy is refused while changes are not acknowledged, and onto an existing file")
  func refused() async throws {
    let ann = try await user("ann")
    let anns = configuration(ann, "/~/notes")
    try add(1, to: anns)
    try await session(anns).waitForUpload()
    let copy = configuration(ann, "/~/notes", file: "copied.realm")
    try session(anns).suspend()
    try add(2, from: 10, to: anns)
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: anns).writeCopy(configuration: copy) }
    #expect(error?.code == .fail)
    #expect(error?.message.contains("1 transaction has not been acknowledged") == true)
    try session(anns).resume()
    try await session(anns).waitForUpload()
    try Realm(configuration: anns).writeCopy(configuration: copy)
    let taken = #expect(throws: Realm.Error.self) { try Realm(configuration: anns).writeCopy(configuration: copy) }
    #expect(taken?.code == .fileExists)
    let names = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
    #expect(!names.contains { $0.contains("draft") }, "\(names)")
    try ann.manager.client().shutDown()
    await server.stop()
  }

  @Test("a copy for another realm uploads everything, and merges with the contents there", arguments: [false, true])
  func anotherRealm(isEncrypted: Bool) async throws {
    let ann = try await user("ann")
    let one = configuration(ann, "/~/one")
    try add(40, to: one)
    try await session(one).waitForUpload()
    let two = configuration(ann, "/~/two")
    try add(3, from: 500, to: two)
    try await session(two).waitForUpload()
    try session(two).close()
    var moved = configuration(ann, "/~/two", file: "moved.realm")
    if isEncrypted { moved.encryptionKey = Data(repeating: 7, count: 64) }
    try Realm(configuration: one).writeCopy(configuration: moved)
    try await session(moved).waitForUpload()
    try await session(moved).waitForDownload()
    let fresh = configuration(try await user("ann"), "/~/two", file: "fresh.realm")
    try session(moved).close()
    try await session(fresh).waitForDownload()
    #expect(try shown(fresh) == shown(moved))
    #expect(try Realm(configuration: fresh).objects(SyncedItem.self).count == 43)
    try ann.manager.client().shutDown()
    await server.stop()
  }

  @Test("a local realm becomes a synchronised one, and a synchronised one a local one that records nothing")
  func localAndBack() async throws {
    let ann = try await user("ann")
    let first = try local("first.realm")
    try add(30, to: first)
    let synced = configuration(ann, "/~/synced", file: "synced.realm")
    try Realm(configuration: first).writeCopy(configuration: synced)
    #expect(try shown(synced) == shown(first))
    try await session(synced).waitForUpload()
    let elsewhere = configuration(try await user("ann"), "/~/synced", file: "elsewhere.realm")
    try session(synced).close()
    try await session(elsewhere).waitForDownload()
    #expect(try shown(elsewhere) == shown(first))
    var back = try local("back.realm")
    try Realm(configuration: elsewhere).writeCopy(configuration: back)
    #expect(try shown(back) == shown(first))
    try add(5, from: 100, to: back)
    #expect(try ClientHistory(RealmFile.open(.file(path: back.fileURL?.path ?? ""))).pendingCount() == 0)
    // As a local realm, it may be migrated.
    back.schemaVersion = 3
    back.migrationBlock = { _, _ in }
    _ = try Realm(configuration: back)
    try ann.manager.client().shutDown()
    await server.stop()
  }
}
