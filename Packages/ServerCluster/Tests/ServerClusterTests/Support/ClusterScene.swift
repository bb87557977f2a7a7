import ChangesetOT
import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import ServerCluster
import Telemetry
import TestKit

/// A PostgreSQL and nodes over it, in this process. What it does blocks, but for making and removing.
final class ClusterScene: Sendable {
  let postgres: PostgresServer
  let folder: String

  init() async throws {
    postgres = try await PostgresServer()
    folder = NSTemporaryDirectory() + "cluster-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func remove() async {
    await postgres.remove()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func node(
    _ name: String, lease: Duration = .seconds(60), interval: Duration = .seconds(1), commitLimit: Int = 500 << 20
  ) throws -> Node {
    try Node(name, self, lease: lease, interval: interval, commitLimit: commitLimit)
  }

  /// Calls `body` on a thread of its own with the scene, which is removed afterwards.
  static func run(_ body: @escaping @Sendable (ClusterScene) throws -> Void) async throws {
    let scene = try await ClusterScene()
    do { try await onOwnThread { try body(scene) } } catch {
      await scene.remove()
      throw error
    }
    await scene.remove()
  }

  /// Statements on the tables, as an operator would run them.
  @discardableResult
  func sql(_ statement: String) throws -> PostgresResult {
    try ClusterDatabase(postgres.address()).perform { try $0.query(statement) }
  }
}

/// A node of the scene: its ownership, its record, its files.
final class Node: Sendable {
  let name: String
  let database: ClusterDatabase
  let ownership: ShardOwnership
  let record: PostgresRecord
  let stores: EmbeddedHistories
  let files: String

  init(_ name: String, _ scene: ClusterScene, lease: Duration, interval: Duration, commitLimit: Int) throws {
    self.name = name
    files = scene.folder + "/" + name
    database = try ClusterDatabase(scene.postgres.address())
    ownership = try ShardOwnership(
      ClusterNode(name: name, address: "http://127.0.0.1:1/\(name)", lease: lease, interval: interval), database,
      peerKey: [UInt8](repeating: 7, count: 32))
    record = PostgresRecord(database, ownership, leastTail: 200_000, commitLimit: commitLimit)
    stores = EmbeddedHistories(
      .folder(files), random: RandomSource(SeededGenerator(seed: 1)), isDurable: false, record: record)
  }

  /// Opens a realm as a server does; the files are closed with the last reference.
  func open(_ path: RealmPath) throws -> ServerHistory {
    let store = try stores.open(path, isNew: false)
    defer { store.close() }
    guard let history = try stores.history(of: path) else { throw Missing() }
    return history
  }

  func content(_ path: RealmPath) throws -> StateDump { try open(path).file.dump() }

  /// Removes the node's files, as a new machine has none.
  func wipe() throws {
    if FileManager.default.fileExists(atPath: files) { try FileManager.default.removeItem(atPath: files) }
  }

  struct Missing: Error {}
}

/// Notes in a realm.
enum Notes {
  static let schema = Schema([
    ObjectSchema(
      className: "Note", primaryKey: "id",
      properties: [Property(name: "id", type: .int), Property(name: "text", type: .string)])
  ])

  static func put(_ key: Int64, _ text: String, in history: ServerHistory) throws {
    try history.file.edit { editor in
      try editor.addClasses(schema)
      let note = ObjectReference(className: "Note", key: .int(key))
      _ = try editor.create(note)
      try editor.set(["text": .value(.string(text))], of: note)
    }
  }

  static func texts(_ dump: StateDump) -> [Int64: String] {
    var texts: [Int64: String] = [:]
    for (key, fields) in dump.objects["Note"] ?? [:] {
      guard case .int(let number) = key, case .value(.string(let text))? = fields["text"] else { continue }
      texts[number] = text
    }
    return texts
  }
}
