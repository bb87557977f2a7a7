import Foundation
import ObjectStore
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
