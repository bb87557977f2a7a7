import Foundation
import ObjectStore
import TestKit
import Testing
import Transport

@testable import SyncClient

/// Ends of logins on a device, and the files that they leave.
@Suite(.serialized)
struct LoggingOutTests {
  private static func exists(_ user: SyncUser) -> Bool {
    FileManager.default.fileExists(atPath: user.folder.path)
  }

  /// The manager of the next launch on the same device, at its first use.
  private static func relaunch(_ user: SyncUser) -> SyncManager {
    let next = SyncManager(rootDirectory: user.manager.rootDirectory)
    next.logLevel = .off
    if let server = user.authenticationServer { _ = try? next.auth(for: server) }
    return next
  }

  @Test("changes that wait go on being uploaded after a log-out, and the files are removed at the next launch")
  func uploadsOn() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    let configuration = OpeningTests.configuration(user, server)
    let observer = try await OpeningTests.user("two", server, register: false)
    let session = try await Self.write(configuration, 1)
    await server.stop()
    _ = try await Self.write(configuration, 2)
    try await user.logOut()
    #expect(user.state == .loggedOut)
    #expect(throws: SyncAuthError.self) { try Realm(configuration: configuration) }
    try await server.restart()
    session.reconnect()
    try await eventually("the end of the session") { user.allSessions().isEmpty }
    let realm = try await Self.download(OpeningTests.configuration(observer, server))
    #expect(realm == 2)
    #expect(Self.exists(user))
    try await eventually("the removal") {
      _ = Self.relaunch(user)
      return !Self.exists(user)
    }
    try observer.manager.client().shutDown()
    await server.stop()
  }

  @Test("a log-out after the upload throws without a server, and the user and the changes stay")
  func uploadsFirst() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    let configuration = OpeningTests.configuration(user, server)
    let session = try await Self.write(configuration, 1)
    await server.stop()
    _ = try await Self.write(configuration, 2)
    let leaving = Task { try await user.logOutAfterUpload() }
    try await Task.sleep(for: .milliseconds(50))
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(user.state == .active)
    try await server.restart()
    session.reconnect()
    try await user.logOutAfterUpload()
    #expect(user.state == .loggedOut)
    let observer = try await OpeningTests.user("two", server, register: false)
    #expect(try await Self.download(OpeningTests.configuration(observer, server)) == 2)
    try observer.manager.client().shutDown()
    await server.stop()
  }

  @Test("files stay when the user logs in again before the next launch, or another process syncs them")
  func keepsFiles() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    _ = try await Self.write(OpeningTests.configuration(user, server), 1)
    try await user.logOut()
    let again = try await OpeningTests.user("one", server, register: false)
    #expect(again.id == user.id)
    _ = Self.relaunch(user)
    #expect(Self.exists(user))
    try await again.logOut()
    try await eventually("the end of the session") { user.allSessions().isEmpty }
    let path = user.folder.appendingPathComponent("held.realm.sync-lock").path
    let held = try #require(ProcessLock(path: path))
    _ = Self.relaunch(user)
    #expect(Self.exists(user))
    held.unlock()
    // The session's own lock goes with the last work on its file.
    try await eventually("the removal") {
      _ = Self.relaunch(user)
      return !Self.exists(user)
    }
    await server.stop()
  }

  @Test("files stay while it cannot be read who is logged in on the device")
  func keepsFilesOfUnread() async throws {
    let server = try await RealServer()
    let user = try await OpeningTests.user("one", server)
    _ = try await Self.write(OpeningTests.configuration(user, server), 1)
    try await user.logOut()
    try await eventually("the end of the session") { user.allSessions().isEmpty }
    let users = user.manager.rootDirectory.appendingPathComponent("users")
    let damaged = users.appendingPathComponent(PercentCoding.encoded("http://other.example:1") + ".users.json")
    try Data("{".utf8).write(to: damaged)
    _ = Self.relaunch(user)
    #expect(Self.exists(user))
    try FileManager.default.removeItem(at: damaged)
    try await eventually("the removal") {
      _ = Self.relaunch(user)
      return !Self.exists(user)
    }
    await server.stop()
  }

  @Test("users are sealed under the key that the program gives, and unreadable without it")
  func sealed() async throws {
    let server = try await RealServer()
    let folder = server.folder.appendingPathComponent("sealed", isDirectory: true)
    let key = Data((0..<64).map { UInt8($0) })
    func manager(_ key: Data?) -> SyncManager {
      let manager = SyncManager(rootDirectory: folder)
      manager.logLevel = .off
      manager.usersEncryptionKey = key
      return manager
    }
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: "ann", password: "secret 1", register: true), server: server.url,
      manager: manager(key))
    #expect(manager(key).loggedInUsers().map(\.id) == [user.id])
    #expect(manager(nil).loggedInUsers().isEmpty)
    #expect(manager(Data(repeating: 1, count: 64)).loggedInUsers().isEmpty)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
      #expect(bytes.range(of: Data(user.id.utf8)) == nil)
    }
    await server.stop()
  }

  private static func write(_ configuration: Realm.Configuration, _ key: Int) async throws -> SyncSession {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(SyncedItem(value: ["_id": key])) }
    return try #require(realm.syncSession)
  }

  @MainActor
  private static func download(_ configuration: Realm.Configuration) async throws -> Int {
    try await Realm(configuration: configuration, downloadBeforeOpen: .always).objects(SyncedItem.self).count
  }
}
