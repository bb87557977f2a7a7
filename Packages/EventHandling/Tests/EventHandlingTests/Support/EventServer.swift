import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import SyncClient
import Synchronization
import Telemetry
import TestKit
import Transport
import TransportReal

@testable import EventHandling

/// A server on a folder of its own, in this process.
final class EventServer: Sendable {
  let folder: String
  let server: ObjectServer
  let environment: ServerEnvironment
  let address: ListenAddress

  init(folder: String? = nil) async throws {
    self.folder =
      folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)").path
    let loop = try EventLoop(name: "events")
    var configuration = ServerConfiguration()
    configuration.accounts.passwordCost = 4
    let data = EmbeddedServer(path: self.folder + "/data")
    if folder == nil || !FileManager.default.fileExists(atPath: self.folder) {
      _ = try data.addUser(
        name: "admin", password: Self.password, isAdministrator: true, policy: configuration.accounts)
    }
    environment = try data.open(
      network: RealNetwork(loop: loop), threads: 4, logger: .disabled)
    configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
    // Longer than a busy machine takes to run a handler that was told to go on.
    configuration.holdPatience = .seconds(120)
    server = ObjectServer(configuration: configuration, environment: environment)
    address = try await server.start()
  }

  private static let password = "a long secret"

  /// The address for clients.
  var url: URL { URL(string: "http://127.0.0.1:\(address.port)") ?? URL(fileURLWithPath: "/") }

  /// The administrator, logged in as on a machine of its own.
  func admin(_ device: String = "admin") async throws -> SyncUser {
    try await SyncUser.logIn(
      with: .usernamePassword(username: "admin", password: Self.password), server: url,
      manager: SyncManager(rootDirectory: URL(fileURLWithPath: folder + "/" + device)))
  }

  /// Passes the lease of the handler on a realm to the process of a device that starts later, as when the one that has it was away for
  /// too long. Neither of them asks for it in between, so nothing depends on who is faster.
  func passLease(of path: String, to device: String) throws {
    guard let services = server.api.admin?.services else { throw NoRealm() }
    let (work, token) = (workFolder(device), UUID().uuidString)
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    try token.write(toFile: work + "/process.id", atomically: true, encoding: .utf8)
    let key = AdapterLeases.Key(adapter: "handler:test", path: try Permissions.RealmPath(path))
    let later = services.context.scheduler.wallTime + AdapterLeases.duration + .seconds(1)
    _ = try services.adapters.take(key, token: token, at: later, random: services.accounts.random)
  }

  func stop() async { await server.stop() }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// The working directory of notifiers.
  var work: String { folder + "/work" }

  /// The working directory of a notifier on a machine of its own.
  func workFolder(_ device: String) -> String { folder + "/" + device + "/work" }

  /// Makes a realm.
  func makeRealm(_ path: String) throws {
    let path = try Permissions.RealmPath(path)
    _ = try environment.directory.recordRealm(path, createdBy: UserId("ann"), at: WallTime(millisecondsSince1970: 0))
    try environment.stores.open(path, isNew: true).close()
  }

  /// Writes to a realm in one transaction, as the server itself does.
  @discardableResult
  func edit<R: Sendable>(_ path: String, _ body: @escaping @Sendable (RealmEditor) throws -> R) async throws -> R {
    guard let hold = try await server.hold(try Permissions.RealmPath(path)) else { throw NoRealm() }
    return try await hold.write { try $0.file.edit(body) }
  }

  /// Writes one task.
  func write(_ path: String, _ key: Int64, _ title: String) async throws {
    try await edit(path) { editor in
      try editor.addClasses(Tasks.schema)
      try editor.create(Tasks.task(key))
      try editor.set(["title": .value(.string(title))], of: Tasks.task(key))
    }
  }

  /// The titles of the tasks by key.
  func titles(_ path: String) async throws -> [Int64: String] {
    guard let hold = try await server.hold(try Permissions.RealmPath(path)) else { throw NoRealm() }
    return try await hold.perform { try Tasks.titles($0.file.contents()) }
  }

  /// Gives a realm another path.
  func rename(_ path: String, to newPath: String) async throws {
    let (hub, old, new) = (server.hub, try Permissions.RealmPath(path), try Permissions.RealmPath(newPath))
    try await withCheckedThrowingContinuation { continuation in
      hub.scheduler.execute { hub.renameRealm(old, to: new) { continuation.resume(with: $0) } }
    }
  }

  /// Deletes a realm.
  func delete(_ path: String) async throws {
    let (hub, path) = (server.hub, try Permissions.RealmPath(path))
    try await withCheckedThrowingContinuation { continuation in
      hub.scheduler.execute { hub.deleteRealm(path) { continuation.resume(with: $0) } }
    }
  }

  /// Whether a move or a deletion of a realm waits for those who hold its files.
  func isWanted(_ path: String) async throws -> Bool {
    let (hub, path) = (server.hub, try Permissions.RealmPath(path))
    return await withCheckedContinuation { continuation in
      hub.scheduler.execute { continuation.resume(returning: hub.holds[path]?.waiter != nil) }
    }
  }

  struct NoRealm: Error {}
}

/// Tasks with a title and a link.
enum Tasks {
  static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "title", type: .string),
        Property(name: "tags", type: .string, collection: .list),
        Property(name: "next", type: .object, objectClassName: "Task", isOptional: true),
      ])
  ])

  static func task(_ key: Int64) -> ObjectReference { ObjectReference(className: "Task", key: .int(key)) }

  static func titles(_ contents: RealmContents) throws -> [Int64: String] {
    var titles: [Int64: String] = [:]
    guard contents.schema["Task"] != nil else { return [:] }
    try contents.forEachObject(of: "Task") { record in
      if case .int(let key) = record.key, case .value(.string(let title))? = record["title"] { titles[key] = title }
      return true
    }
    return titles
  }
}

/// The calls of a handler, in order.
final class Told: Sendable {
  private let entries = Mutex<[String]>([])

  var all: [String] { entries.withLock { $0 } }
  var count: Int { entries.withLock { $0.count } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }

  /// Waits until a number of entries is there.
  func wait(for count: Int, within limit: Duration = .seconds(300)) async throws {
    try await eventually(within: limit) { self.count >= count }
  }
}

/// A handler made of closures.
struct TestHandler: NotificationHandler {
  var name = "test"
  var needsRealms = true
  var matches: @Sendable (String) -> Bool = { _ in true }
  var handle: @Sendable (ChangeDetails) async throws -> Void

  func shouldHandle(path: String) -> Bool { matches(path) }
  func handleChange(_ details: ChangeDetails) async throws { try await handle(details) }
}

extension EventServer {
  /// A notifier with one handler as it runs in another process, started.
  func remoteNotifier(
    _ handler: TestHandler, device: String = "admin", _ configure: (inout NotifierConfiguration) -> Void = { _ in }
  ) async throws -> Notifier {
    var configuration = NotifierConfiguration(workingDirectory: workFolder(device), handlers: [handler])
    configuration.retryDelay = .milliseconds(5)
    configure(&configuration)
    let notifier = try Notifier(server: url, adminUser: try await admin(device), configuration)
    try await notifier.start()
    return notifier
  }

  /// A notifier with one handler, started.
  func notifier(
    _ handler: TestHandler, _ configure: (inout NotifierConfiguration) -> Void = { _ in }
  ) async throws -> Notifier {
    var configuration = NotifierConfiguration(workingDirectory: work, handlers: [handler])
    configuration.retryDelay = .milliseconds(5)
    configure(&configuration)
    let notifier = Notifier(server, configuration)
    try await notifier.start()
    return notifier
  }
}
