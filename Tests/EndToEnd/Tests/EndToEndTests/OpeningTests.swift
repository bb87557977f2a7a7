import Foundation
import ObjectStore
import Permissions
import TestKit
import Testing

@testable import SyncClient

/// Opening a realm with and without a server.
@Suite(.serialized)
struct OpeningTests {
  /// A user who is logged in, in a world of their own.
  static func user(
    _ name: String, _ server: RealServer, register: Bool = true, username: String = "ann"
  ) async throws -> SyncUser {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    return try await SyncUser.logIn(
      with: .usernamePassword(username: username, password: "secret 1", register: register), server: server.url,
      manager: manager)
  }

  static func configuration(_ user: SyncUser, _ server: RealServer) -> Realm.Configuration {
    var configuration = user.configuration(realmURL: server.realm("/~/todo"), fullSynchronization: true)
    configuration.objectTypes = [SyncedItem.self]
    return configuration
  }

  @MainActor
  private func open(_ configuration: Realm.Configuration, _ behavior: Realm.OpenBehavior) async throws -> Int {
    try await Realm(configuration: configuration, downloadBeforeOpen: behavior).objects(SyncedItem.self).count
  }

  @Test(
    "always fails at once without a server, once waits for the first download only, asyncOpen waits for a connection")
  func behaviors() async throws {
    let server = try await RealServer()
    let one = Self.configuration(try await Self.user("one", server), server)
    let realm = try Realm(configuration: one)
    try realm.write { realm.add(SyncedItem()) }
    try await realm.syncSession?.waitForUpload()
    let two = Self.configuration(try await Self.user("two", server, register: false), server)
    await server.stop()
    for behavior in [Realm.OpenBehavior.always, .once, .once] {
      // A first opening that failed leaves nothing that a second one would take for a realm.
      await #expect(throws: SyncError.self) { _ = try await open(two, behavior) }
    }
    let waiting = Task { try await Self.asyncOpen(two) }
    try await Task.sleep(for: .milliseconds(200))
    try await server.restart()
    two.syncConfiguration?.user.allSessions().first?.reconnect()
    #expect(try await waiting.value == 1)
    #expect(try await open(two, .always) == 1)
    await server.stop()
    await #expect(throws: SyncError.self) { _ = try await open(two, .always) }
    #expect(try await open(two, .once) == 1)
    #expect(try await open(two, .never) == 1)
  }

  private static func asyncOpen(_ configuration: Realm.Configuration) async throws -> Int {
    let queue = DispatchQueue(label: "opening")
    return try await withCheckedThrowingContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { (realm: Realm?, error: (any Error)?) in
        if let realm {
          continuation.resume(returning: realm.objects(SyncedItem.self).count)
        } else {
          continuation.resume(throwing: error ?? CancellationError())
        }
      }
    }
  }

  @Test("a cancelled opening never calls back, and an opening that gives up early reports the first error")
  func cancellation() async throws {
    let server = try await RealServer()
    let user = try await Self.user("one", server)
    await server.stop()
    let called = Box(0)
    let task = Realm.asyncOpen(configuration: Self.configuration(user, server), callbackQueue: .init(label: "a")) {
      (_: Realm?, _: (any Error)?) in called.change { $0 += 1 }
    }
    try await Task.sleep(for: .milliseconds(300))
    task.cancel()
    try await Task.sleep(for: .milliseconds(300))
    #expect(called.value == 0)
    var early = user.configuration(
      realmURL: server.realm("/~/other"), fullSynchronization: true, cancelAsyncOpenOnNonFatalErrors: true)
    early.objectTypes = [SyncedItem.self]
    let configuration = early
    do {
      _ = try await Self.asyncOpen(configuration)
      Issue.record("it opened")
    } catch let error as SyncError {
      #expect(error.code == .connectionFailed)
    }
  }

  @Test("an opening with a time limit ends with ETIMEDOUT while there is no server")
  @MainActor
  func timeLimit() async throws {
    let server = try await RealServer()
    let user = try await Self.user("one", server)
    await server.stop()
    let configuration = Self.configuration(user, server)
    let outcome = Box<POSIXError.Code?>(nil)
    Realm.asyncOpen(configuration: configuration, callbackQueue: DispatchQueue(label: "opening"), timeout: 0.2) {
      (_: Realm?, error: (any Error)?) in outcome.change { $0 = (error as? POSIXError)?.code ?? .EINVAL }
    }
    try await eventually("the end of the opening") { outcome.value != nil }
    #expect(outcome.value == .ETIMEDOUT)
    try user.manager.client().shutDown()
  }

  @Test("without a URL the server's default realm opens, synced by queries and empty")
  @MainActor
  func defaultRealm() async throws {
    let server = try await RealServer()
    let user = try await Self.user("one", server)
    var configuration = user.configuration()
    configuration.objectTypes = [SyncedItem.self]
    #expect(configuration.syncConfiguration?.realmURL.path == "/default")
    #expect(configuration.syncConfiguration?.fullSynchronization == false)
    let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .once, timeout: 60)
    #expect(realm.objects(SyncedItem.self).isEmpty)
    _ = try await realm.objects(SyncedItem.self).subscribe(name: "all", timeout: 60)
    try realm.write { realm.add(SyncedItem(value: ["_id": 5])) }
    try await realm.syncSession?.waitForUpload()
    #expect(SyncConfiguration.automatic(user: user).syncConfiguration?.realmURL.path == "/default")
    try user.manager.client().shutDown()
    await server.stop()
  }

  @Test("a session is found by its URL, whatever proof and prefix the realm was opened with")
  func sessionsByURL() async throws {
    let server = try await RealServer()
    let user = try await Self.user("one", server)
    let url = try #require(server.realm("/~/todo"))
    var configuration = user.configuration(
      realmURL: url, fullSynchronization: true, serverValidationPolicy: .none, urlPrefix: "/realm-sync")
    configuration.objectTypes = [SyncedItem.self]
    #expect(user.session(for: url) == nil)
    let realm = try Realm(configuration: configuration)
    #expect(user.session(for: url) != nil)
    #expect(user.session(for: url) === realm.syncSession)
    #expect(server.realm("/~/other").map { user.session(for: $0) == nil } == true)
    try user.manager.client().shutDown()
    await server.stop()
  }

  @Test("own realms and grants given are among the permissions, and revoking takes any level away")
  func permissions() async throws {
    let server = try await RealServer()
    let ann = try await Self.user("one", server)
    let ben = try await Self.user("two", server, username: "ben")
    let realm = try Realm(configuration: Self.configuration(ann, server))
    try await realm.syncSession?.waitForDownload()
    let grant = SyncPermission(realmPath: "/~/todo", username: "ben", accessLevel: .write)
    try await ann.apply(grant)
    let path = "/\(ann.id)/todo"
    func permissions(_ user: SyncUser) async throws -> [String] {
      let all = try await user.retrievePermissions().sorted { $0.accessLevel > $1.accessLevel }
      return all.map { "\($0.identity ?? "?") \($0.accessLevel.rawValue) \($0.path)" }
    }
    #expect(try await permissions(ann) == ["\(ann.id) 3 \(path)", "\(ben.id) 2 \(path)"])
    #expect(try await permissions(ben) == ["\(ben.id) 2 \(path)"])
    try await ann.revokePermission(grant)
    #expect(try await permissions(ben).isEmpty)
    try ann.manager.client().shutDown()
    await server.stop()
  }

  @Test("tokens of the application's own log in under the identity and rights that it says")
  func ownTokens() async throws {
    let server = try await RealServer()
    let ann = try await Self.user("one", server)
    let token = try #require(ann.accessToken), refresh = try #require(ann.refreshToken)
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent("own", isDirectory: true))
    let named = try await SyncUser.logIn(
      with: .accessToken(token, identity: "somebody", isAdmin: true), server: server.url, manager: manager)
    #expect(named.identity == "somebody")
    #expect(named.isAdmin)
    let refreshing = try await SyncUser.logIn(
      with: .customRefreshToken(refresh, identity: ann.id), server: server.url, manager: manager)
    #expect(refreshing.identity == ann.id)
    #expect(!refreshing.isAdmin)
    #expect(try await refreshing.auth.accessToken(of: refreshing.userId).isEmpty == false)
    await #expect(throws: SyncAuthError.self) {
      try await SyncUser.logIn(with: .nickname("nick"), server: server.url, manager: manager)
    }
    await #expect(throws: SyncAuthError.self) {
      try await ann.retrieveInfo(forUser: "ann", identityProvider: .usernamePassword)
    }
    await server.stop()
  }

  @Test("a login that ends on the server reaches the user's handler once, and sync goes on after a new login")
  func endedLogin() async throws {
    let server = try await RealServer()
    let user = try await Self.user("one", server)
    let configuration = Self.configuration(user, server)
    let heard = Box<[SyncAuthError.Code]>([])
    user.errorHandler = { _, error in heard.change { $0.append(error.code) } }
    let realm = try Realm(configuration: configuration)
    let session = try #require(realm.syncSession)
    try await session.waitForDownload()
    // Another device of the user sets a new password: all other logins end.
    let other = try await Self.user("two", server, register: false)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      other.changePassword("secret 2") { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    try await eventually("the end of the login") { !heard.value.isEmpty }
    #expect(heard.value == [.invalidAccessToken])
    #expect(user.state == .error)
    #expect(session.state == .invalid)
    let again = try await SyncUser.logIn(
      with: .usernamePassword(username: "ann", password: "secret 2"), server: server.url, manager: user.manager)
    #expect(again === user)
    #expect(user.state == .active)
    try await session.waitForDownload()
    #expect(session.state == .active)
    await server.stop()
  }
}

/// A variable that callbacks may set.
final class Box<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `stored` is touched under the lock only.
  private let lock = NSLock()
  private var stored: Value
  init(_ value: Value) { stored = value }
  var value: Value { lock.withLock { stored } }
  func change(_ edit: (inout Value) -> Void) { lock.withLock { edit(&stored) } }
}
