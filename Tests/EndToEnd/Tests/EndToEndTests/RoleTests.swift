import Foundation
import ObjectStore
import Permissions
import TestKit
import Testing

@testable import SyncClient

/// A room whose access list says who sees it, with messages that it links to.
final class SyncedRoom: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var topic: String
  @Persisted var messages: List<SyncedMessage>
  @Persisted var permissions: List<Permission>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A message in a room.
final class SyncedMessage: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var body: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Roles inside a realm of several users, enforced by a server over real sockets.
@Suite(.serialized)
struct RoleTests {
  private static func configuration(_ user: SyncUser, _ server: RealServer) -> Realm.Configuration {
    var configuration = user.configuration(realmURL: server.realm("/default"))
    configuration.objectTypes = [SyncedRoom.self, SyncedMessage.self]
    return configuration
  }

  private static func grant(
    _ room: SyncedRoom, to user: SyncUser, _ change: (Permission) -> Void
  ) {
    change(room.permissions.findOrCreate(forRoleNamed: "__User:\(user.identity ?? "")"))
  }

  private static func explain(_ user: SyncUser, _ room: String, _ url: URL) async throws -> SyncExplanation {
    try await withCheckedThrowingContinuation { continuation in
      user.explainObject(ofType: "SyncedRoom", forPrimaryKey: room, inRealmAt: url) { explanation, error in
        if let explanation { continuation.resume(returning: explanation) }
        if let error { continuation.resume(throwing: error) }
      }
    }
  }

  /// Everything of both is on the server and on the device.
  @MainActor
  private static func settle(_ realms: Realm...) async throws {
    for realm in realms { try await realm.syncSession?.waitForUpload() }
    for realm in realms {
      try await realm.syncSession?.waitForDownload()
      realm.refresh()
    }
  }

  @MainActor
  @Test("a private room is where its list says, with its messages, and goes and comes with a grant")
  func rooms() async throws {
    let server = try await RealServer()
    let ann = try await OpeningTests.user("ann", server, username: "ann")
    let bob = try await OpeningTests.user("bob", server, username: "bob")
    let carol = try await OpeningTests.user("carol", server, username: "carol")
    let (anns, bobs, carols) = (
      try Realm(configuration: Self.configuration(ann, server)),
      try Realm(configuration: Self.configuration(bob, server)),
      try Realm(configuration: Self.configuration(carol, server))
    )
    for realm in [anns, bobs, carols] {
      try await realm.objects(SyncedRoom.self).subscribe(name: "rooms", timeout: 30)
    }
    #expect(anns.objects(PermissionUser.self).map(\.identity).contains(ann.identity ?? ""))
    try anns.write {
      let room = anns.create(SyncedRoom.self, value: ["name": "secret", "topic": "plans"])
      room.messages.append(SyncedMessage(value: ["_id": 1, "body": "the canary sings"]))
      Self.grant(room, to: ann) { ($0.canRead, $0.canUpdate, $0.canSetPermissions) = (true, true, true) }
      Self.grant(room, to: bob) { $0.canRead = true }
    }
    try await Self.settle(anns, bobs, carols)
    #expect(bobs.objects(SyncedRoom.self).first?.messages.map(\.body) == ["the canary sings"])
    #expect(carols.objects(SyncedRoom.self).isEmpty)
    #expect(carols.objects(SyncedMessage.self).isEmpty)

    // The server says why: over the link of a room that bob may read; to carol no more than of what does not exist.
    let address = server.realm("/default")
    let url = try #require(address)
    let his = try await bob.explainObject(ofType: "SyncedMessage", forPrimaryKey: 1, inRealmAt: url)
    #expect(his.verdict == .held, "\(his)")
    #expect(his.steps.contains { $0.decides && $0.text.contains(#"SyncedRoom["secret"].messages -> "#) }, "\(his)")
    let hers = try await Self.explain(carol, "secret", url)
    #expect(hers.verdict == .absent)
    let absent = try await Self.explain(carol, "secre7", url)
    #expect("\(absent)".replacing("secre7", with: "secret") == "\(hers)")
    let foreign = try? await carol.explainObject(
      ofType: "SyncedRoom", forPrimaryKey: "secret", inRealmAt: url, forUserID: bob.identity)
    #expect(foreign == nil)

    // Read-only: the post is undone and reported with its reason; another edit of the same device stays.
    let heard = HeardErrors()
    bobs.syncSession?.onError { error, _ in heard.add(error) }
    try bobs.write {
      let room = try #require(bobs.objects(SyncedRoom.self).first)
      room.topic = "overthrown"
    }
    try await Self.settle(bobs, anns)
    for _ in 0..<200 where heard.errors.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    try await Self.settle(bobs)
    #expect(bobs.objects(SyncedRoom.self).first?.topic == "plans")
    #expect(anns.objects(SyncedRoom.self).first?.topic == "plans")
    let info = heard.errors.first?.compensatingWriteInfo?.first
    #expect(info?.objectType == "SyncedRoom")
    #expect(info?.reason.contains("update is not granted") == true, "\(info?.reason ?? "nothing")")

    try anns.write {
      let room = try #require(anns.objects(SyncedRoom.self).first)
      Self.grant(room, to: bob) { $0.canRead = false }
      Self.grant(room, to: carol) { $0.canRead = true }
    }
    try await Self.settle(anns, bobs, carols)
    #expect(bobs.objects(SyncedRoom.self).isEmpty)
    #expect(bobs.objects(SyncedMessage.self).isEmpty)
    #expect(carols.objects(SyncedRoom.self).first?.messages.map(\.body) == ["the canary sings"])
    await server.stop()
  }

  @MainActor
  @Test("a user of an app is in the role everyone of a realm that others opened by queries, and bounded by it")
  func appUser() async throws {
    let server = try await RealServer()
    let ann = try await OpeningTests.user("ann", server, username: "ann")
    let bob = try await OpeningTests.user("bob", server, username: "bob")
    var configuration = bob.configuration(
      realmURL: server.realm("/default"), urlPrefix: "/api/client/v2.0/app/todo-abcde/realm-sync")
    configuration.objectTypes = [SyncedMessage.self]
    let bobs = try Realm(configuration: configuration)
    let heard = HeardErrors()
    bobs.syncSession?.onError { error, _ in heard.add(error) }
    let subscriptions = bobs.subscriptions
    try await subscriptions.update { subscriptions.append(QuerySubscription<SyncedMessage>()) }
    try bobs.write { bobs.add(SyncedMessage(value: ["_id": 1, "body": "before"])) }
    try await Self.settle(bobs)

    let anns = try Realm(configuration: Self.configuration(ann, server))
    try await anns.objects(SyncedMessage.self).subscribe(name: "messages", timeout: 30)
    try await Self.settle(bobs)
    #expect(bobs.objects(SyncedMessage.self).map(\.body) == ["before"])
    try bobs.write { bobs.add(SyncedMessage(value: ["_id": 2, "body": "after"])) }
    try await Self.settle(bobs, anns)
    #expect(anns.objects(SyncedMessage.self).count == 2)
    #expect(heard.errors.isEmpty)

    try anns.write {
      anns.permissions(forType: SyncedMessage.self).findOrCreate(forRoleNamed: "everyone").canCreate = false
    }
    try await Self.settle(anns, bobs)
    try bobs.write { bobs.add(SyncedMessage(value: ["_id": 3, "body": "refused"])) }
    try await Self.settle(bobs, anns)
    for _ in 0..<200 where heard.errors.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    #expect(heard.errors.first?.compensatingWriteInfo?.first?.reason.contains("not granted") == true)
    #expect(Set(bobs.objects(SyncedMessage.self).map(\._id)) == [1, 2])
    #expect(anns.objects(SyncedMessage.self).count == 2)
    await server.stop()
  }

  @MainActor
  @Test("a user whom the roles of a realm bound cannot hold it whole")
  func wholeRealm() async throws {
    let server = try await RealServer()
    let ann = try await OpeningTests.user("ann", server, username: "ann")
    let realm = try Realm(configuration: Self.configuration(ann, server))
    try await realm.objects(SyncedRoom.self).subscribe(name: "rooms", timeout: 30)
    try realm.write { _ = realm.create(SyncedRoom.self, value: ["name": "open"]) }
    try await realm.syncSession?.waitForUpload()
    let bob = try await OpeningTests.user("bob", server, username: "bob")
    var configuration = bob.configuration(realmURL: server.realm("/default"), fullSynchronization: true)
    configuration.objectTypes = [
      SyncedRoom.self, SyncedMessage.self, Permission.self, PermissionRole.self, PermissionUser.self,
    ]
    let heard = HeardErrors()
    let whole = try Realm(configuration: configuration)
    whole.syncSession?.onError { error, _ in heard.add(error) }
    for _ in 0..<200 where heard.errors.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    #expect("\(heard.errors)".contains("by queries only"))
    #expect(whole.objects(SyncedRoom.self).isEmpty)
    await server.stop()
  }
}

/// The errors that a session reported.
final class HeardErrors: @unchecked Sendable {
  // @unchecked: guarded by the lock.
  private let lock = NSLock()
  private var stored: [SyncError] = []
  var errors: [SyncError] { lock.withLock { stored } }
  func add(_ error: SyncError) { lock.withLock { stored.append(error) } }
}
