import ChangesetOT
import Foundation
import ObjectServer
import ObjectServerTestSupport
import Permissions
import RecordStore
import ServerCluster
import SyncProtocol
import Telemetry
import TestKit

/// A data directory with users and realms, and the way of it into the cluster of a scene and back.
struct MovingScene {
  let scene: ClusterScene
  /// The path of the data directory.
  let data: String
  let paths: [RealmPath]

  /// The state of a realm that clients depend on.
  struct State: Equatable {
    var content: StateDump
    var version: SaltedServerVersion
    var files: [FileIdent: ClientFileRecord]
  }

  /// Makes a data directory; the first realm is of several parts.
  init(_ scene: ClusterScene, seed: UInt64, realms: Int = 4) throws {
    (self.scene, data) = (scene, scene.folder + "/data\(seed)")
    var random = SeededGenerator(seed: seed)
    let directory = try EmbeddedServer(path: data).openDirectory()
    defer { directory.close() }
    try DirectorySample.fill(directory)
    paths = try (0..<realms).map { try RealmPath("/ann/notes\($0)") } + [RealmPath(partition: .string("a/b c"))]
    for path in paths {
      _ = try directory.recordRealm(path, createdBy: "ann", at: WallTime(secondsSince1970: 1))
      try write(path, path == paths[0] ? 40 : Int.random(in: 1...4, using: &random), length: 50_000, in: single())
    }
  }

  /// The realms of a server that is alone.
  func single(_ folder: String? = nil, seed: UInt64 = 1) -> EmbeddedHistories {
    EmbeddedHistories(
      .folder((folder ?? data) + "/realms"), random: RandomSource(SeededGenerator(seed: seed)), isDurable: false)
  }

  /// A client comes, and notes are written.
  func write(_ path: RealmPath, _ count: Int, length: Int = 10, from first: Int = 0, in stores: EmbeddedHistories)
    throws
  {
    let store = try stores.open(path, isNew: first == 0)
    _ = try store.allocateClientFile()
    store.close()
    for number in first..<(first + count) {
      guard let history = try stores.history(of: path) else { throw Node.Missing() }
      let text = (0..<length / 10).map { "\(number * 7 + $0 * 31)".padding(toLength: 10, withPad: "-", startingAt: 0) }
      try Notes.put(Int64(number), text.joined(), in: history)
    }
  }

  func state(_ path: RealmPath, in stores: EmbeddedHistories) throws -> State {
    guard let history = try stores.history(of: path) else { throw Node.Missing() }
    var files: [FileIdent: ClientFileRecord] = [:]
    for number in UInt64(0)...40 { files[FileIdent(number)] = try history.clientFile(FileIdent(number)) }
    return State(content: try history.file.dump(), version: try history.state().current, files: files)
  }

  func states(in stores: EmbeddedHistories) throws -> [State] { try paths.map { try state($0, in: stores) } }

  /// The users of a data directory.
  func users(_ folder: String? = nil) throws -> [String] {
    let directory = try EmbeddedServer(path: folder ?? data).openDirectory()
    defer { directory.close() }
    return try DirectorySample.answers(of: directory)
  }

  func takeIn(isCancelled: () -> Bool = { false }) throws -> MoveReport {
    try ClusterImport(scene.postgres.address(), of: EmbeddedServer(path: data)).run(isCancelled: isCancelled)
  }

  func takeOut(to folder: String, isCancelled: () -> Bool = { false }) throws -> MoveReport {
    try ClusterExport(scene.postgres.address(), keysOf: EmbeddedServer(path: data)).run(
      to: folder, isCancelled: isCancelled)
  }

  /// Enters a node as a server does, and lets it leave again.
  func enterNode() throws {
    let node = ClusterNode(name: "visitor", address: "http://127.0.0.1:1")
    try PostgresStorage(scene.postgres.address(), node: node).join(
      keys: data + "/keys", logger: .disabled, metrics: MetricsRegistry()
    )
    .leave()
  }
}
