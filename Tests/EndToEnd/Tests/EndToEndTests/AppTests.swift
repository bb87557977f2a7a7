import Cryptography
import Foundation
import ObjectStore
import TestKit
import Testing
import Transport

@testable import SyncClient

/// Apps under their newer names, against a server on a real socket.
@Suite(.serialized)
struct AppTests {
  private static let password = "correct horse"

  /// An app on a device of its own.
  static func app(_ device: String, _ server: RealServer, id: String = "todo-abcde") -> App {
    let folder = server.folder.appendingPathComponent("app-" + device, isDirectory: true)
    let app = App(
      id: id, configuration: AppConfiguration(baseURL: server.url.absoluteString), rootDirectory: folder)
    app.syncManager.logLevel = .off
    return app
  }

  static func ann(_ app: App, registers: Bool = true) async throws -> User {
    if registers { try await app.emailPasswordAuth.registerUser(email: "ann@example.org", password: password) }
    return try await app.login(credentials: .emailPassword(email: "ann@example.org", password: password))
  }

  private func code(_ work: () async throws -> Void) async -> AppError.Code? {
    do {
      try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private static func partition(_ user: User, _ value: some BSON) -> Realm.Configuration {
    var configuration = user.configuration(partitionValue: value)
    configuration.objectTypes = [SyncedItem.self]
    return configuration
  }

  @Test(
    "an app registers, logs in and shares a partition between two devices, over HTTP and TLS", arguments: [false, true])
  func partitions(isSecure: Bool) async throws {
    let certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    let server = try await RealServer.ofApps(isSecure ? certificate : nil)
    let file = server.folder.appendingPathComponent("certificate.pem")
    try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
    try Data(certificate.certificatePEM.utf8).write(to: file)
    let phone = Self.app("phone", server), tablet = Self.app("tablet", server)
    if isSecure { for app in [phone, tablet] { try app.syncManager.pinCertificate(file.path, of: "127.0.0.1") } }
    let ann = try await Self.ann(phone)
    #expect(ann.state == .loggedIn)
    #expect(phone.currentUser === ann)
    #expect(ann.profile.email == "ann@example.org")
    #expect(ann.identities.map(\.providerType) == ["local-userpass"])
    let realm = try Realm(configuration: Self.partition(ann, "team a"))
    try realm.write { realm.add(SyncedItem(value: ["_id": 1])) }
    #expect(ann.session(forPartitionValue: "team a") === realm.syncSession)
    try await realm.syncSession?.waitForUpload()
    let other = try await Self.ann(tablet, registers: false)
    #expect(other.id == ann.id)
    let count = try await Self.count(Self.partition(other, "team a"))
    #expect(count == 1)
    for app in [phone, tablet] { try app.syncManager.client().shutDown() }
    await server.stop()
  }

  @MainActor
  private static func count(_ configuration: Realm.Configuration) async throws -> Int {
    try await Realm(configuration: configuration, downloadBeforeOpen: .always).objects(SyncedItem.self).count
  }

  @Test("partitions of every type have files of their own, and other types are refused when they are opened")
  func partitionTypes() async throws {
    let server = try await RealServer()
    let user = try await Self.app("one", server).login(credentials: .anonymous)
    let values: [AnyBSON?] = [
      "42", 42, .int32(42), .objectId(.generate()), .uuid(UUID()), nil, .string(String(repeating: "ü", count: 300)),
    ]
    let locations = Set(
      values.compactMap { user.configuration(partitionValue: $0).syncConfiguration?.location })
    #expect(locations.count == values.count)
    for value in values {
      var configuration = user.configuration(partitionValue: value)
      configuration.objectTypes = [SyncedItem.self]
      #expect(throws: Never.self) { try Realm(configuration: configuration) }
    }
    #expect(throws: SyncAuthError.self) {
      try Realm(configuration: Self.partition(user, AnyBSON.double(1.5)))
    }
    try user.manager.client().shutDown()
    await server.stop()
  }

  @Test("what a login lacks is told under the documented codes")
  func refusals() async throws {
    let server = try await RealServer()
    let app = Self.app("one", server)
    let ann = try await Self.ann(app)
    #expect(
      await code { try await app.login(credentials: .emailPassword(email: "ann@example.org", password: "wrong one")) }
        == .invalidPassword)
    for credentials in [
      Credentials.facebook(accessToken: "a"), .google(serverAuthCode: "a"), .googleId(token: "a"), .apple(idToken: "a"),
    ] { #expect(await code { try await app.login(credentials: credentials) } == .authProviderNotFound) }
    #expect(await code { try await app.login(credentials: .function(payload: ["a": 1])) } != nil)
    #expect(await code { try await app.login(credentials: .jwt(token: "a.b.c")) } != nil)
    #expect(await code { try await app.login(credentials: .userAPIKey("nonsense")) } != nil)
    #expect(await code { _ = try await ann.functions.sum([1, 2]) } == .functionNotFound)
    let viaBlock = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
      ann.functions.sum([1, 2]) { (_: AnyBSON?, error: (any Error)?) in continuation.resume(returning: error) }
    }
    #expect((viaBlock as? AppError)?.code == .functionNotFound)
    #expect(app.currentUser === ann)
    await server.stop()
    #expect(await code { try await app.login(credentials: .anonymous) } == .httpRequestFailed)
  }

  @Test("an anonymous user is one per device, and keeps id and data when a name is linked")
  func linking() async throws {
    let server = try await RealServer()
    let app = Self.app("one", server)
    let guest = try await app.login(credentials: .anonymous)
    #expect(try await app.login(credentials: .anonymous) === guest)
    try await app.emailPasswordAuth.registerUser(email: "ann@example.org", password: Self.password)
    let linked = try await guest.linkUser(
      credentials: .emailPassword(email: "ann@example.org", password: Self.password))
    #expect(linked === guest)
    #expect(Set(guest.identities.map(\.providerType)) == ["anon-user", "local-userpass"])
    #expect(await code { try await guest.linkUser(credentials: .anonymous) } == .invalidParameter)
    let elsewhere = try await Self.ann(Self.app("two", server), registers: false)
    #expect(elsewhere.id == guest.id)
    await server.stop()
  }

  @Test("API keys open logins until they are disabled or deleted")
  func keys() async throws {
    let server = try await RealServer()
    let ann = try await Self.ann(Self.app("one", server))
    let key = try await ann.apiKeysAuth.createAPIKey(named: "backup")
    let secret = try #require(key.key)
    let program = try await Self.app("two", server).login(credentials: .userAPIKey(secret))
    #expect(program.id == ann.id)
    #expect(try await ann.apiKeysAuth.fetchAPIKeys().map(\.name) == ["backup"])
    try await ann.apiKeysAuth.disableAPIKey(key.objectId)
    #expect(try await ann.apiKeysAuth.fetchAPIKey(key.objectId).disabled)
    #expect(await code { try await Self.app("three", server).login(credentials: .userAPIKey(secret)) } != nil)
    try await ann.apiKeysAuth.enableAPIKey(key.objectId)
    try await ann.apiKeysAuth.deleteAPIKey(key.objectId)
    #expect(await code { _ = try await ann.apiKeysAuth.fetchAPIKey(key.objectId) } == .valueNotFound)
    await server.stop()
  }

  @Test("users come back at the next launch; logged out they are kept, removed they are gone")
  func users() async throws {
    let server = try await RealServer()
    let app = Self.app("one", server)
    let ann = try await Self.ann(app)
    let guest = try await app.login(credentials: .anonymous)
    #expect(app.currentUser === guest)
    #expect(app.switch(to: ann) === ann)
    #expect(app.currentUser === ann)
    let next = SyncManager(app: "todo-abcde", rootDirectory: app.syncManager.rootDirectory)
    #expect(next.loggedInUsers().map(\.id) == [ann.id, guest.id])
    try await ann.logOut()
    #expect(ann.state == .loggedOut)
    #expect(app.currentUser === guest)
    #expect(Set(app.allUsers.keys) == [ann.id, guest.id])
    try await guest.logOut()
    #expect(Set(app.allUsers.keys) == [ann.id])
    #expect(try await Self.ann(app, registers: false) === ann)
    #expect(ann.state == .loggedIn)
    try await ann.delete()
    #expect(ann.state == .removed)
    #expect(app.allUsers.isEmpty)
    #expect(
      await code { _ = try await Self.ann(app, registers: false) } == .invalidPassword)
    await server.stop()
  }

  @Test("two apps of one id and address share their users")
  func sharing() async throws {
    let server = try await RealServer()
    let ann = try await Self.ann(Self.app("one", server))
    #expect(Self.app("one", server).currentUser === ann)
    #expect(Self.app("one", server) == Self.app("one", server))
    #expect(Self.app("one", server, id: "another").currentUser == nil)
    await server.stop()
  }

  @Test("initial subscriptions fill a realm of an app that syncs by queries")
  @MainActor
  func queries() async throws {
    let server = try await RealServer()
    let ann = try await Self.ann(Self.app("one", server))
    func configuration(_ user: User) -> Realm.Configuration {
      var configuration = user.flexibleSyncConfiguration(
        initialSubscriptions: { subscriptions in
          subscriptions.append(QuerySubscription<SyncedItem>(name: "all"))
        }, rerunOnOpen: false)
      configuration.objectTypes = [SyncedItem.self]
      return configuration
    }
    let realm = try await Realm(configuration: configuration(ann), downloadBeforeOpen: .once)
    try realm.write { realm.add(SyncedItem(value: ["_id": 7])) }
    try await realm.syncSession?.waitForUpload()
    let guest = try await Self.app("two", server).login(credentials: .anonymous)
    let other = try await Realm(configuration: configuration(guest), downloadBeforeOpen: .once)
    #expect(other.objects(SyncedItem.self).map(\._id) == [7])
    for user in [ann, guest] { try user.manager.client().shutDown() }
    await server.stop()
  }
}
