import Foundation
import ObjectStore
import Testing

@testable import SyncClient

/// An item of a list, as an application declares it.
final class SyncedItem: Object {
  @Persisted(primaryKey: true) var _id = 0
  @Persisted var title = ""
  @Persisted var isDone = false
  @Persisted var tags: List<String>
}

/// Live objects over real sockets: what an application writes.
@Suite(.serialized)
struct RealmTests {
  private func configuration(_ name: String, _ server: RealServer, register: Bool) async throws -> Realm.Configuration {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: "ann", password: "secret 1", register: register), server: server.url,
      manager: manager)
    var configuration = user.configuration(realmURL: server.realm("/~/todo"), fullSynchronization: true)
    configuration.objectTypes = [SyncedItem.self]
    return configuration
  }

  private func write(_ configuration: Realm.Configuration, _ key: Int, _ title: String) throws -> SyncSession {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let item = SyncedItem()
      item._id = key
      item.title = title
      item.tags.append("from \(key)")
      realm.add(item)
    }
    return try #require(realm.syncSession)
  }

  private func titles(_ configuration: Realm.Configuration) throws -> [String] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    return realm.objects(SyncedItem.self).map(\.title).sorted()
  }

  @Test("opening a realm with a user's configuration starts its session, and objects travel")
  func objectsTravel() async throws {
    let server = try await RealServer()
    let one = try await configuration("one", server, register: true)
    let first = try write(one, 1, "milk")
    try await first.waitForUpload()
    let two = try await configuration("two", server, register: false)
    let second = try write(two, 2, "bread")
    try await second.waitForUpload()
    try await second.waitForDownload()
    try await first.waitForDownload()
    #expect(try titles(one) == ["bread", "milk"])
    #expect(try titles(two) == ["bread", "milk"])
    #expect(first.status.pendingUploads == 0)
    first.close()
    second.close()
    await server.stop()
  }
}
