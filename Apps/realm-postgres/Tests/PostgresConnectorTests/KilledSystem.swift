import Foundation
import ObjectStore
import PostgresClient
import Synchronization
import TestKit

@testable import SyncClient

/// A database, a process `realm-postgres`, a device, and writers on both sides.
final class KilledSystem: @unchecked Sendable {
  let database: PostgresServer
  private let folder: URL
  private let port: Int
  private var server: ChildProcess?
  private var configuration = Realm.Configuration()
  private let isWriting = Atomic<Bool>(true)
  private let counters = Mutex((statements: 0, transactions: 0))

  var statements: Int { counters.withLock { $0.statements } }
  var transactions: Int { counters.withLock { $0.transactions } }

  /// The program; nil when it is not built.
  static let program: String? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let path = folder + "/realm-postgres"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  init() async throws {
    database = try PostgresServer()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = Self.freePort()
    let settings = """
      name = "kills"
      [postgres]
      host = "\(database.folder)"
      port = 5432
      user = "postgres"
      database = "postgres"
      [realm]
      path = "/{owner}/items"
      [log]
      level = "info"
      file = "\(folder.path)/log"
      [class.KilledItem]
      primary-key = "id"
      id = "int"
      title = "string?"
      amount = "int"
      tags = "string[]"
      parent = "KilledItem"
      """
    try Data(settings.utf8).write(to: folder.appendingPathComponent("connector.toml"))
    try startServer()
    let manager = SyncManager(rootDirectory: folder.appendingPathComponent("device", isDirectory: true))
    manager.logLevel = .off
    guard let url = URL(string: "http://127.0.0.1:\(port)"),
      let realm = URL(string: "realm://127.0.0.1:\(port)/~/items")
    else { throw TimedOut() }
    let user = try await logIn(url, manager)
    configuration = user.configuration(realmURL: realm, fullSynchronization: true)
    configuration.objectTypes = [KilledItem.self]
    try append("first", to: try Realm(configuration: configuration))
    try await eventually {
      (try? self.connect().query("SELECT 1 FROM \"KilledItem\"").count) == 1
    }
  }

  private func logIn(_ url: URL, _ manager: SyncManager) async throws -> SyncUser {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try await SyncUser.logIn(
          with: .usernamePassword(username: "ann", password: "secret 1", register: true), server: url, manager: manager)
      } catch {
        guard ContinuousClock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private static func freePort() -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, length)
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: Processes

  func startServer() throws {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: Self.program ?? "")
    process.arguments = [
      "--config", folder.appendingPathComponent("connector.toml").path, "--data",
      folder.appendingPathComponent("data").path, "--port", "\(port)",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    server = process
  }

  func killServer() {
    guard let server else { return }
    server.signal(SIGKILL)
    server.waitForEnd()
  }

  func end() async {
    configuration.syncConfiguration = nil
    killServer()
    database.remove()
    try? FileManager.default.removeItem(at: folder)
  }

  private func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(database.parameters())
    try connection.query("SET client_min_messages = error")
    return connection
  }

  // MARK: Writers

  func stopWriting() { isWriting.store(false, ordering: .releasing) }

  /// Writes to the tables.
  ///
  /// - Returns: the appends that were committed, and those of which the answer was lost.
  func writeTables() -> Task<(appended: [String], unsure: [String]), Never> {
    Task { [self] in
      var random = SeededGenerator(seed: 11)
      var (appended, unsure): ([String], [String]) = ([], [])
      var connection: PostgresConnection?
      var owner = ""
      var number = 0
      while isWriting.load(ordering: .acquiring) {
        try? await Task.sleep(for: .milliseconds(10))
        number += 1
        let tag = "table \(number)"
        let isAppend = number % 20 == 0
        do {
          if connection?.isAlive != true { connection = try connect() }
          guard let connection else { continue }
          if owner.isEmpty { owner = try connection.query("SELECT owner FROM \"KilledItem\" LIMIT 1")[0, 0] ?? "" }
          try connection.query(
            isAppend
              ? "INSERT INTO \"KilledItem_tags\" SELECT 0, coalesce(max(idx), -1) + 1, '\(tag)' FROM \"KilledItem_tags\" WHERE oid = 0"
              : Self.statement(number, owner, &random))
          counters.withLock { $0.statements += 1 }
          if isAppend { appended.append(tag) }
        } catch let error as PostgresError {
          // A statement that the server refused did nothing; one without an answer may have.
          if error.isConnectionLost, isAppend { unsure.append(tag) }
        } catch { continue }
      }
      return (appended, unsure)
    }
  }

  private static func statement(_ number: Int, _ owner: String, _ random: inout SeededGenerator) -> String {
    let key = Int.random(in: 1...60, using: &random)
    return switch Int.random(in: 0..<10, using: &random) {
    case 0: "DELETE FROM \"KilledItem\" WHERE id = \(key)"
    case 1...3: "UPDATE \"KilledItem\" SET title = 'table \(number)' WHERE id = \(key)"
    case 4:
      "UPDATE \"KilledItem\" SET parent = CASE WHEN EXISTS (SELECT 1 FROM \"KilledItem\" WHERE id = \(key + 1)) THEN \(key + 1) END WHERE id = \(key)"
    case 5: "DELETE FROM \"KilledItem_tags\" WHERE oid = \(key) AND idx = 0"
    case 6:
      "INSERT INTO \"KilledItem_tags\" SELECT id, 900000 + \(number), 't\(number)' FROM \"KilledItem\" WHERE id = \(key)"
    default:
      "INSERT INTO \"KilledItem\" (id, title, amount, owner) VALUES (\(key), 'table \(number)', \(number), '\(owner)') "
        + "ON CONFLICT (id) DO UPDATE SET amount = EXCLUDED.amount"
    }
  }

  /// Writes to the realm of the device.
  ///
  /// - Returns: the tags that were appended.
  func writeObjects() throws -> Task<[String], any Error> {
    let configuration = configuration
    return Task { [self] in
      var random = SeededGenerator(seed: 12)
      var appended: [String] = []
      var number = 0
      while isWriting.load(ordering: .acquiring) {
        try await Task.sleep(for: .milliseconds(10))
        number += 1
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        if number % 20 == 0 {
          try append("realm \(number)", to: realm)
          appended.append("realm \(number)")
        } else {
          try change(number, realm, &random)
        }
        counters.withLock { $0.transactions += 1 }
      }
      return appended + ["first"]
    }
  }

  private func append(_ tag: String, to realm: Realm) throws {
    try realm.write {
      let item =
        realm.object(ofType: KilledItem.self, forPrimaryKey: 0) ?? realm.create(KilledItem.self, value: ["id": 0])
      item.tags.append(tag)
    }
  }

  private func change(_ number: Int, _ realm: Realm, _ random: inout SeededGenerator) throws {
    let key = Int.random(in: 1...60, using: &random)
    let kind = Int.random(in: 0..<10, using: &random)
    try realm.write {
      guard let item = realm.object(ofType: KilledItem.self, forPrimaryKey: key) else {
        realm.create(KilledItem.self, value: ["id": key, "title": "realm \(number)", "amount": number])
        return
      }
      switch kind {
      case 0: realm.delete(item)
      case 1...3: item.title = "realm \(number)"
      case 4: item.parent = realm.object(ofType: KilledItem.self, forPrimaryKey: key + 1)
      case 5: if !item.tags.isEmpty { item.tags.remove(at: item.tags.count - 1) }
      case 6: item.tags.insert("r\(number)", at: 0)
      default: item.amount = number
      }
    }
  }

  // MARK: The checker

  /// The tags of the object to which both sides append.
  func tags() throws -> [String] {
    let rows = try connect().query("SELECT target FROM \"KilledItem_tags\" WHERE oid = 0 ORDER BY idx")
    return (0..<rows.count).compactMap { rows[$0, 0] }
  }

  func deadLetters() throws -> [String] {
    let rows = try connect().query("SELECT direction, class, key, reason FROM openrealm.dead_letters LIMIT 5")
    return (0..<rows.count).map { rows.row($0).map { $0 ?? "" }.joined(separator: " ") }
  }

  /// The first difference between the device's objects and the rows, once they stay equal or the time is over.
  func difference(within limit: Duration) async throws -> String? {
    let end = ContinuousClock.now + limit
    var last: String?
    var equal = 0
    while ContinuousClock.now < end {
      do { last = Self.compare(try objects(), try rows()) } catch { last = "\(error)" }
      equal = last == nil ? equal + 1 : 0
      if equal == 5 { return nil }
      try await Task.sleep(for: .milliseconds(300))
    }
    let log = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
    print(log.suffix(4_000))
    return last ?? "they do not stay equal"
  }

  private static func compare(_ here: [Int: [String]], _ there: [Int: [String]]) -> String? {
    for key in Set(here.keys).union(there.keys).sorted() where here[key] != there[key] {
      return "\(key) is \(here[key] ?? []) here, \(there[key] ?? []) there"
    }
    return nil
  }

  private func objects() throws -> [Int: [String]] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    var objects: [Int: [String]] = [:]
    for item in realm.objects(KilledItem.self) {
      objects[item.id] =
        [item.title ?? "NULL", "\(item.amount)", item.parent.map { "\($0.id)" } ?? "NULL"] + Array(item.tags)
    }
    return objects
  }

  private func rows() throws -> [Int: [String]] {
    let connection = try connect()
    var rows: [Int: [String]] = [:]
    let items = try connection.query("SELECT id, title, amount, parent FROM \"KilledItem\"")
    for number in 0..<items.count {
      guard let key = items[number, 0].flatMap({ Int($0) }) else { continue }
      rows[key] = items.row(number).dropFirst().map { $0 ?? "NULL" }
    }
    let tags = try connection.query("SELECT oid, target FROM \"KilledItem_tags\" ORDER BY oid, idx")
    for number in 0..<tags.count {
      if let key = tags[number, 0].flatMap({ Int($0) }) { rows[key]?.append(tags[number, 1] ?? "NULL") }
    }
    return rows
  }
}
