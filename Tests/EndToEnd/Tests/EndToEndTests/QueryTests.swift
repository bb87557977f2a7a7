import Foundation
import ObjectStore
import TestKit
import Testing

@testable import SyncClient

/// A measurement that is only sent.
final class SentReading: AsymmetricObject {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var degrees: Double
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same class in another program, with names of its own.
final class RenamedItem: Object {
  @Persisted(primaryKey: true) var _id = 0
  @Persisted var text = ""
  @Persisted var done = false
  override class func _realmObjectName() -> String? { "SyncedItem" }
  override class func propertiesMapping() -> [String: String] { ["text": "title", "done": "isDone"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Realms that are synced by queries, beside others that are synced whole, over real sockets.
@Suite(.serialized)
struct QueryTests {
  private static func queried(_ user: SyncUser, _ server: RealServer, _ path: String) -> Realm.Configuration {
    var configuration = user.configuration(realmURL: server.realm(path))
    configuration.objectTypes = [SyncedItem.self]
    return configuration
  }

  @MainActor
  @Test("a client with queries gets what they find of a reference realm, follows it, and writes to it")
  func following() async throws {
    let server = try await RealServer()
    let owner = try await OpeningTests.user("one", server)
    let whole = try Realm(configuration: OpeningTests.configuration(owner, server))
    try whole.write {
      for number in 0..<10 { whole.add(SyncedItem(value: ["_id": number, "title": "item \(number)"])) }
    }
    try await whole.syncSession?.waitForUpload()
    let user = try await OpeningTests.user("two", server, register: false)
    let realm = try Realm(configuration: Self.queried(user, server, "/~/todo"))
    let few = realm.objects(SyncedItem.self).filter("_id < 3")
    try await few.subscribe(name: "few", timeout: 20)
    #expect(few.map(\.title).sorted() == ["item 0", "item 1", "item 2"])
    #expect(realm.objects(SyncedItem.self).count == 3)
    try whole.write {
      whole.objects(SyncedItem.self).filter("_id == 1").first?.title = "changed"
      whole.add(SyncedItem(value: ["_id": -1, "title": "new"]))
      whole.add(SyncedItem(value: ["_id": 77, "title": "elsewhere"]))
    }
    try await whole.syncSession?.waitForUpload()
    try await realm.syncSession?.waitForDownload()
    realm.refresh()
    #expect(few.map(\.title).sorted() == ["changed", "item 0", "item 2", "new"])
    try realm.write { realm.add(SyncedItem(value: ["_id": 2, "title": "mine"]), update: .modified) }
    try await realm.syncSession?.waitForUpload()
    try await whole.syncSession?.waitForDownload()
    whole.refresh()
    #expect(whole.object(ofType: SyncedItem.self, forPrimaryKey: 2)?.title == "mine")
    let subscriptions = realm.subscriptions
    try await subscriptions.update { subscriptions.removeAll() }
    realm.refresh()
    #expect(realm.objects(SyncedItem.self).isEmpty)
    #expect(whole.objects(SyncedItem.self).count == 12)
    await server.stop()
  }

  @MainActor
  @Test("a class with other names in code subscribes by closure, results and text, with those names")
  func renamed() async throws {
    let server = try await RealServer()
    let owner = try await OpeningTests.user("one", server)
    let whole = try Realm(configuration: OpeningTests.configuration(owner, server))
    try whole.write {
      for number in 0..<9 { whole.add(SyncedItem(value: [number, "item \(number)", number == 4])) }
    }
    try await whole.syncSession?.waitForUpload()
    let user = try await OpeningTests.user("two", server, register: false)
    var configuration = Self.queried(user, server, "/~/todo")
    configuration.objectTypes = [RenamedItem.self]
    let realm = try Realm(configuration: configuration)
    let items = realm.objects(RenamedItem.self)
    try await items.where { $0.text == "item 1" }.subscribe(timeout: 20)
    try await items.sorted(byKeyPath: "text", ascending: false).filter("text < 'item 3'").subscribe(timeout: 20)
    let subscriptions = realm.subscriptions
    try await subscriptions.update {
      subscriptions.append(QuerySubscription<RenamedItem> { $0.done })
      subscriptions.append(QuerySubscription<RenamedItem>(where: "text == %@", "item 8"))
    }
    realm.refresh()
    #expect(items.map(\._id).sorted() == [0, 1, 2, 4, 8])
    #expect(items.where { $0.done }.isComplete)
    try realm.write { realm.object(ofType: RenamedItem.self, forPrimaryKey: 8)?.done = true }
    try await realm.syncSession?.waitForUpload()
    try await whole.syncSession?.waitForDownload()
    whole.refresh()
    #expect(whole.objects(SyncedItem.self).filter("isDone == true").map(\._id).sorted() == [4, 8])
    await server.stop()
  }

  @MainActor
  @Test("an object that is only sent reaches the server, and no device with queries keeps it or gets it")
  func sending() async throws {
    let server = try await RealServer()
    let owner = try await OpeningTests.user("one", server)
    let whole = try Realm(configuration: OpeningTests.configuration(owner, server))
    var devices: [Realm] = []
    for name in ["two", "three"] {
      let user = try await OpeningTests.user(name, server, register: false)
      var configuration = Self.queried(user, server, "/~/todo")
      configuration.objectTypes = [SyncedItem.self, SentReading.self]
      let realm = try Realm(configuration: configuration)
      try await realm.objects(SyncedItem.self).subscribe(timeout: 20)
      devices.append(realm)
    }
    try devices[0].write {
      for number in 0..<3 { devices[0].create(SentReading.self, value: ["_id": number, "degrees": 20.5]) }
      devices[0].add(SyncedItem(value: ["_id": 1, "title": "after"]))
    }
    try await devices[0].syncSession?.waitForUpload()
    try await whole.syncSession?.waitForDownload()
    whole.refresh()
    #expect(whole.dynamicObjects("SentReading").compactMap { $0["degrees"] as? Double } == [20.5, 20.5, 20.5])
    for device in devices {
      try await device.syncSession?.waitForDownload()
      device.refresh()
      #expect(device.objects(SyncedItem.self).map(\.title) == ["after"])
      #expect(device.dynamicObjects("SentReading").isEmpty)
    }
    await server.stop()
  }

  @MainActor
  @Test("opening the default realm waits for the initial subscriptions, and a mode that a file has is kept")
  func opening() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    var first = user.flexibleSyncConfiguration { $0.append(QuerySubscription<SyncedItem>(name: "all")) }
    first.objectTypes = [SyncedItem.self]
    let realm = try await Realm(configuration: first, downloadBeforeOpen: .always)
    #expect(realm.subscriptions.state == .complete)
    try realm.write { realm.add(SyncedItem(value: ["_id": 1, "title": "milk"])) }
    try await realm.syncSession?.waitForUpload()
    let other = try await OpeningTests.user("two", server, register: false)
    var second = other.flexibleSyncConfiguration { $0.append(QuerySubscription<SyncedItem> { $0.title == "milk" }) }
    second.objectTypes = [SyncedItem.self]
    let copy = try await Realm(configuration: second, downloadBeforeOpen: .always)
    #expect(copy.objects(SyncedItem.self).map(\.title) == ["milk"])
    let wholly = other.configuration(realmURL: server.realm("/default"), fullSynchronization: true)
    let refusal = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: wholly) }
    #expect(refusal?.code == .incompatibleHistories)
    await server.stop()
  }

  @MainActor
  @Test("after a restoration a realm with queries has its changes, its subscriptions, and the set that was on its way")
  func restoration() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    let realm = try Realm(configuration: Self.queried(user, server, "/~/todo"))
    let session = try #require(realm.syncSession)
    try await realm.objects(SyncedItem.self).filter("_id < 3").subscribe(name: "few", timeout: 20)
    try realm.write { realm.add(SyncedItem(value: ["_id": 1, "title": "one"])) }
    try await session.waitForUpload()
    try await server.backUp()
    try realm.write { realm.add(SyncedItem(value: ["_id": 2, "title": "two"])) }
    try await session.waitForUpload()
    session.suspend()
    try realm.write { realm.add(SyncedItem(value: ["_id": 0, "title": "zero"])) }
    let subscriptions = realm.subscriptions
    try subscriptions.write { subscriptions.append(QuerySubscription<SyncedItem>(name: "all")) }
    try await server.restore()
    session.resume()
    try await subscriptions.waitForSync()
    try await session.waitForUpload()
    realm.refresh()
    #expect(session.status.resets == 1)
    #expect(realm.objects(SyncedItem.self).map(\._id).sorted() == [0, 1, 2])
    #expect(subscriptions.compactMap(\.name) == ["few", "all"])
    let other = try await OpeningTests.user("two", server, register: false)
    let copy = try Realm(configuration: Self.queried(other, server, "/~/todo"))
    try await copy.objects(SyncedItem.self).subscribe(timeout: 20)
    #expect(copy.objects(SyncedItem.self).map(\._id).sorted() == [0, 1, 2])
    await server.stop()
  }

  @MainActor
  @Test("a write outside of the queries is undone and reported")
  func compensation() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    let realm = try Realm(configuration: Self.queried(user, server, "/~/todo"))
    let heard = HeardErrors()
    realm.syncSession?.onError { error, _ in heard.add(error) }
    try await realm.objects(SyncedItem.self).filter("_id < 3").subscribe(name: "few", timeout: 20)
    try realm.write {
      realm.add(SyncedItem(value: ["_id": 1, "title": "mine"]))
      realm.add(SyncedItem(value: ["_id": 9, "title": "outside"]))
    }
    try await realm.syncSession?.waitForUpload()
    for _ in 0..<200 where heard.errors.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    realm.refresh()
    #expect(realm.objects(SyncedItem.self).map(\.title) == ["mine"])
    #expect(heard.errors.first?.code == .writeRejected)
    #expect(heard.errors.first?.compensatingWriteInfo?.map(\.objectType) == ["SyncedItem"])
    await server.stop()
  }
}
