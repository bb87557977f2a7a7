import Foundation
import ObjectStore
import RecordStore
import Permissions
import SyncProtocol
import Testing

@testable import SyncClient

/// Users, files and sessions over real sockets and disks.
@Suite(.serialized)
struct RealTests {
  /// A device: a manager with a folder of its own.
  private func open(
    _ name: String, _ server: RealServer, user: String, register: Bool = true, path: String = "/~/todo"
  ) async throws -> (manager: SyncManager, user: SyncUser, file: RealmFile, session: SyncSession) {
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent(name, isDirectory: true))
    manager.logLevel = .off
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: user, password: "secret 1", register: register), server: server.url,
      manager: manager)
    let configuration = user.syncConfiguration(realmURL: server.realm(path), fullSynchronization: true)
    let file = try RealmFile.open(
      configuration.location, options: RealmFile.Options(recordsChangesets: true, isDurable: false))
    let session = try #require(try configuration.attach(to: file, of: user.configuration()) as? SyncSession)
    return (manager, user, file, session)
  }

  @Test("commits on one device of a user appear on the other, also after the server was restarted")
  func twoDevices() async throws {
    let server = try await RealServer()
    let one = try await open("one", server, user: "ann")
    try one.file.addItem()
    try one.file.addItem(1)
    try await one.session.waitForUpload()
    #expect(one.session.status.pendingUploads == 0)
    let two = try await open("two", server, user: "ann", register: false)
    try await two.session.waitForDownload()
    #expect(try two.file.dump() == one.file.dump())
    #expect(two.user.identity == one.user.identity)
    #expect(two.user.session(for: try #require(server.realm("/~/todo"))) === two.session)

    try await server.restart()
    try two.file.addItem(2)
    two.session.reconnect()
    try await two.session.waitForUpload()
    one.session.reconnect()
    try await one.session.waitForDownload()
    #expect(try one.file.dump().objects["Item"]?.count == 2)
    #expect(try two.file.dump() == one.file.dump())
    try one.manager.client().shutDown()
    try two.manager.client().shutDown()
    await server.stop()
  }

  @Test("a realm of another user is refused until access is granted")
  func permissions() async throws {
    let server = try await RealServer()
    let ann = try await open("one", server, user: "ann")
    try ann.file.addItem()
    try await ann.session.waitForUpload()
    let path = "/\(ann.user.identity ?? "")/todo"
    let ben = try await open("two", server, user: "ben", path: path)
    do {
      try await ben.session.waitForDownload()
      Issue.record("ben may read ann's realm")
    } catch let error as SyncError {
      #expect(error.code == .permissionDeniedError, "\(error)")
    }
    #expect(ben.session.state == .invalid)
    try await ann.user.apply(SyncPermission(realmPath: path, username: "ben", accessLevel: .write))
    ben.session.resume()
    try await ben.session.waitForDownload()
    try ben.file.addItem(1)
    try await ben.session.waitForUpload()
    try await ann.session.waitForDownload()
    #expect(try ann.file.dump().objects["Item"]?.count == 1)
    try ann.manager.client().shutDown()
    try ben.manager.client().shutDown()
    await server.stop()
  }

  @Test("wrong passwords, taken names and absent servers give an error with a remedy")
  func loginErrors() async throws {
    let server = try await RealServer()
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent("one"))
    func attempt(_ credentials: SyncCredentials, _ url: URL) async -> SyncAuthError? {
      do {
        _ = try await SyncUser.logIn(with: credentials, server: url, manager: manager)
        return nil
      } catch {
        return error as? SyncAuthError
      }
    }
    #expect(await attempt(.usernamePassword(username: "ann", password: "secret 1", register: true), server.url) == nil)
    let wrong = await attempt(.usernamePassword(username: "ann", password: "wrong 11"), server.url)
    #expect(wrong?.code == .invalidCredential)
    #expect(wrong?.remedy.isEmpty == false)
    let taken = await attempt(.usernamePassword(username: "ann", password: "secret 1", register: true), server.url)
    #expect(taken?.code == .userAlreadyExists)
    let absent = await attempt(.anonymous(), URL(string: "http://127.0.0.1:1") ?? server.url)
    #expect(absent?.code == .clientSessionError)
    // Logged in still, without the server.
    await server.stop()
    let later = SyncManager(rootDirectory: server.folder.appendingPathComponent("one"))
    #expect(later.loggedInUsers().map(\.username) == ["ann"])
  }
}
