import Foundation
import ObjectServer
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import Synchronization
import Telemetry

/// The databases of the folders of a process's tests, in one PostgreSQL that is started for the first of them. From any thread; blocks.
final class TestNodes: Sendable {
  struct Entry {
    var database: String
    var parts: SharedParts?
    /// The directory that the folder goes with, where it has no server.
    weak var directory: LastingDirectory?
    var keys: ScratchFolder?
  }
  struct State {
    var postgres: PostgresServer?
    var entries: [String: Entry] = [:]
    var made = 0
  }

  static let shared = TestNodes()
  let state = Mutex(State())
  private let removals = DispatchQueue(label: "databases of tests that ended")
  /// Many tests are under way at a time, each with a server or two of some connections.
  private static let connections = 600

  func address(of folder: String) throws -> String {
    try state.withLock { try Self.address(of: folder, &$0, removals) }
  }

  func storage(of folder: String) throws -> PostgresStorage { Self.storage(try address(of: folder)) }

  func node(of folder: String) throws -> SharedParts {
    try state.withLock { state in
      let address = try Self.address(of: folder, &state, removals)
      if let parts = state.entries[folder]?.parts { return parts }
      let keys = folder + "/keys"
      var parts = try Self.storage(address).join(keys: keys, logger: .disabled, metrics: MetricsRegistry())
      parts.directory = try LastingDirectory(address, keys: keys)
      state.entries[folder]?.parts = parts
      return parts
    }
  }

  func directories(_ count: Int) throws -> [any Directory] {
    let scratch = ScratchFolder()
    let address = try address(of: scratch.path)
    let directories = try (0..<count).map { _ in
      try LastingDirectory(address, keys: scratch.path + "/keys", isShared: count > 1)
    }
    state.withLock { state in
      state.entries[scratch.path]?.directory = directories.first
      state.entries[scratch.path]?.keys = scratch
    }
    return directories
  }

  private static func storage(_ address: String) -> PostgresStorage {
    // Nobody passes anything on to a node that is alone. A slow machine is not to lose it.
    PostgresStorage(address, node: ClusterNode(name: "test", address: "http://127.0.0.1:1", lease: .seconds(300)))
  }

  private static func address(of folder: String, _ state: inout State, _ removals: DispatchQueue) throws -> String {
    let postgres = try state.postgres ?? start()
    state.postgres = postgres
    if let entry = state.entries[folder] { return postgres.address(entry.database) }
    for (folder, entry) in state.entries {
      if entry.keys != nil, entry.directory == nil {
        state.entries[folder] = nil
      } else if FileManager.default.fileExists(atPath: folder) {
        continue
      }
      state.entries[folder] = nil
      removals.async {
        entry.parts?.leave()
        _ = try? PostgresConnection(postgres.parameters()).query("DROP DATABASE \(entry.database) WITH (FORCE)")
      }
    }
    state.made += 1
    let entry = Entry(database: "node_\(state.made)")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try PostgresConnection(postgres.parameters()).query("CREATE DATABASE \(entry.database) TEMPLATE cluster")
    state.entries[folder] = entry
    return postgres.address(entry.database)
  }

  /// Starts PostgreSQL, with a database that has the tables of a cluster, to copy.
  private static func start() throws -> PostgresServer {
    let postgres = try PostgresServer(connections: connections)
    try PostgresConnection(postgres.parameters()).query("CREATE DATABASE cluster")
    _ = try ClusterDatabase(postgres.address("cluster"))
    return postgres
  }
}
