import Foundation
import ObjectStore
import TestKit
import Testing

@testable import SyncClient

/// Access tokens that live for seconds.
@Suite(.serialized)
struct TokenTests {
  @Test("a session survives tokens that expire again and again without an error, and each change arrives once")
  func expiry() async throws {
    let server = try await RealServer { configuration in
      configuration.accounts.accessTokenLifetime = .seconds(1)
      configuration.loginReviewInterval = .milliseconds(100)
    }
    let one = try await OpeningTests.user("one", server)
    let two = try await OpeningTests.user("two", server, register: false)
    let errors = Box<[String]>([])
    let connections = Box(0)
    for user in [one, two] {
      user.manager.errorHandler = { error, _ in errors.change { $0.append("\(error)") } }
      user.errorHandler = { _, error in errors.change { $0.append("\(error)") } }
    }
    let writer = try #require(try Realm(configuration: OpeningTests.configuration(one, server)).syncSession)
    let reader = try #require(try Realm(configuration: OpeningTests.configuration(two, server)).syncSession)
    let token = writer.observeConnectionState { if $0 == .connected { connections.change { $0 += 1 } } }
    var count = 0
    // Until tokens have expired three times: as long as that takes, on any machine.
    while connections.value < 4, count < 4_000 {
      let realm = try Realm(configuration: OpeningTests.configuration(one, server))
      let number = count
      try realm.write { realm.add(SyncedItem(value: ["_id": number])) }
      count += 1
      try await writer.waitForUpload()
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(connections.value >= 4)
    try await reader.waitForDownload()
    let realm = try Realm(configuration: OpeningTests.configuration(two, server))
    realm.refresh()
    #expect(realm.objects(SyncedItem.self).sorted(byKeyPath: "_id").map(\._id) == Array(0..<count))
    #expect(errors.value.isEmpty, "\(errors.value)")
    // A token may have expired just now: the next connection takes the error back.
    try await eventually("a connection without an error") { writer.status.lastError == nil }
    #expect(writer.state == .active)
    token.invalidate()
    for user in [one, two] { try user.manager.client().shutDown() }
    await server.stop()
  }

  @Test("a login that is revoked ends all sessions of the user, and the user's handler is called once")
  func revocation() async throws {
    let server = try await RealServer { configuration in
      configuration.accounts.accessTokenLifetime = .seconds(60)
      configuration.loginReviewInterval = .milliseconds(100)
    }
    let user = try await OpeningTests.user("one", server)
    let heard = Box<[SyncAuthError.Code]>([])
    user.errorHandler = { _, error in heard.change { $0.append(error.code) } }
    var sessions: [SyncSession] = []
    for name in ["todo", "notes", "ideas"] {
      var configuration = user.configuration(realmURL: server.realm("/~/\(name)"), fullSynchronization: true)
      configuration.objectTypes = [SyncedItem.self]
      let session = try #require(try Realm(configuration: configuration).syncSession)
      try await session.waitForDownload()
      sessions.append(session)
    }
    // Another device of the user sets a new password: all other logins end.
    let other = try await OpeningTests.user("two", server, register: false)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      other.changePassword("secret 2") { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    for session in sessions {
      let error = await #expect(throws: SyncError.self) {
        while true {
          try await session.waitForDownloadOnline()
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      #expect(error?.code == .underlyingAuthError, "\(error as Any)")
    }
    #expect(heard.value == [.invalidAccessToken])
    #expect(user.state == .error)
    #expect(sessions.allSatisfy { $0.state == .invalid })
    for user in [user, other] { try user.manager.client().shutDown() }
    await server.stop()
  }
}
