import CommandLineKit
import ChatCore
import Foundation
import ObjectServer
import RealmSwift
import Transport
import TransportReal
@testable import ChatRealm

/// A server of this process on a real socket, with files in a temporary folder and an administrator.
final class ChatServer {
  let folder: URL
  private let loop: EventLoop
  private let server: ObjectServer
  private var port = 0

  init() async throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("chat-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    loop = try EventLoop(name: "chat-server")
    let data = EmbeddedServer(path: folder.appendingPathComponent("server").path)
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
    _ = try data.addUser(name: "boss", password: "secret 1", isAdministrator: true, policy: configuration.accounts)
    let environment = try data.open(network: RealNetwork(loop: loop), threads: 2, logger: .disabled)
    server = ObjectServer(configuration: configuration, environment: environment)
    port = try await server.start().port
    SyncManager.shared.rootDirectory = folder.appendingPathComponent("clients", isDirectory: true)
    SyncManager.shared.logLevel = .off
  }

  func stop() async {
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Logs a user in; makes the user unless it is the administrator.
  func user(_ name: String) async throws -> SyncUser {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CancellationError() }
    return try await SyncUser.logIn(
      with: .usernamePassword(username: name, password: "secret 1", register: name != "boss"), server: url)
  }

  /// The chat of a user on a device of their own.
  func store(_ user: SyncUser, _ name: String) throws -> RealmChatStore {
    let account = Account(user: user, server: try NetworkURL("http://127.0.0.1:\(port)"), name: name)
    func configuration(_ path: String, full: Bool) throws -> Realm.Configuration {
      var configuration = try account.configuration(of: path, fullSynchronization: full)
      configuration.fileURL = file(path, of: name)
      return configuration
    }
    return try RealmChatStore(
      ChatConfigurations(
        rooms: try configuration(ChatConfigurations.roomsPath, full: false),
        directory: try configuration(ChatConfigurations.directoryPath, full: true),
        settings: try configuration(ChatConfigurations.settingsPath(of: account.id), full: true),
        outbox: Realm.Configuration(fileURL: file("outbox", of: name))),
      me: ChatCore.Person(id: account.id, name: name), account: account, refusals: log(of: user))
  }

  private func file(_ path: String, of name: String) -> URL {
    folder.appendingPathComponent(name + "-" + StateFolder.fileName(path) + ".realm")
  }

  /// The refusals of each user, of whom one process usually has one.
  private var logs: [String: RefusalLog] = [:]

  private func log(of user: SyncUser) -> RefusalLog {
    let log = RefusalLog()
    logs[user.identity ?? ""] = log
    SyncManager.shared.errorHandler = { [logs] error, session in
      logs[session?.parentUser()?.identity ?? ""]?.note(error)
    }
    return log
  }
}
