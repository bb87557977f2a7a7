import Foundation
import ObjectStore
import Telemetry
import Testing

@testable import SyncClient

/// The log lines of sync, as applications get them.
@Suite(.serialized)
struct LoggingTests {
  /// A user who logs in, syncs an object, is thrown out, and comes back: everything that could let a secret slip.
  private func live(_ server: RealServer, _ manager: SyncManager) async throws -> SyncUser {
    let user = try await SyncUser.logIn(
      with: .usernamePassword(username: "ann", password: "secret 1", register: true), server: server.url,
      manager: manager)
    let realm = try Realm(configuration: OpeningTests.configuration(user, server))
    try realm.write { realm.add(SyncedItem(value: ["_id": 1, "title": "private"])) }
    let session = try #require(realm.syncSession)
    try await session.waitForUpload()
    try await server.restart()
    session.reconnect()
    try await session.waitForDownload()
    return user
  }

  @Test("at every level the application's logger gets the lines of sync, and no line holds a secret")
  func secrets() async throws {
    let server = try await RealServer()
    let manager = SyncManager(rootDirectory: server.folder.appendingPathComponent("one", isDirectory: true))
    let lines = Box<[(level: LogLevel, text: String)]>([])
    manager.logger = { level, text in lines.change { $0.append((level, text)) } }
    manager.logLevel = .all
    let user = try await live(server, manager)
    let heard = lines.value
    #expect(Set(heard.map(\.level)).isSuperset(of: [.detail, .debug]))
    #expect(heard.contains { $0.text.contains("sync.connection") && $0.text.contains("connected") })
    let tokens = [user.refreshToken, user.auth.user(user.userId)?.accessToken?.unredacted].compactMap { $0 }
    #expect(tokens.count == 2)
    for secret in tokens + ["secret 1", "private"] {
      #expect(!heard.contains { $0.text.contains(secret) }, "\(heard.filter { $0.text.contains(secret) })")
    }
    let count = lines.value.count
    manager.logLevel = .off
    user.allSessions().first?.suspend()
    try await Task.sleep(for: .milliseconds(100))
    #expect(lines.value.count == count)
    try manager.client().shutDown()
    await server.stop()
  }

  @Test("without a logger of its own, sync logs to the logger of realms, at that logger's level unless it has its own")
  func shared() async throws {
    let server = try await RealServer()
    let lines = Box<[String]>([])
    let realmLogger = RealmLogger(level: .detail) { level, text in lines.change { $0.append("\(level) \(text)") } }
    let manager = SyncManager(
      rootDirectory: server.folder.appendingPathComponent("one", isDirectory: true), realmLogger: { realmLogger })
    #expect(manager.logLevel == .detail)
    let user = try await live(server, manager)
    #expect(lines.value.contains("detail sync.connection: connected server=127.0.0.1:\(server.port)"), "\(lines.value)")
    #expect(!lines.value.contains { $0.hasPrefix("debug") })
    realmLogger.level = .error
    #expect(manager.logLevel == .error)
    manager.logLevel = .warn
    realmLogger.level = .trace
    #expect(manager.logLevel == .warn)
    try user.manager.client().shutDown()
    await server.stop()
  }

  @Test("levels have the same names on both sides")
  func levels() {
    for level in LogLevel.allCases { #expect("\(RealmLogLevel(level))" == "\(level)") }
    for level in RealmLogLevel.allCases { #expect("\(LogLevel(level))" == "\(level)") }
  }
}
