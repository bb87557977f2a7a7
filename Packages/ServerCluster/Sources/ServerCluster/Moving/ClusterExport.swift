import Foundation
public import ObjectServer
import Permissions
import PostgresClient
import StorageEngine

/// Makes a data directory of a cluster whose nodes are stopped: the directory of users, and each realm with its history, its client files
/// and its versions. One server goes on from it, and clients as if their server had been started again.
///
///     let export = ClusterExport("postgresql://db.example.com/realms", keysOf: EmbeddedServer(path: "/var/lib/openrealm"))
///     let report = try export.run(to: "/var/lib/single")
///
/// The data directory appears when it is complete and was verified. The database has what it had, but its nodes must be started anew.
public struct ClusterExport: Sendable {
  private let address: String
  private let server: EmbeddedServer
  private let secret: ClusterSecret?

  /// The export of the cluster in the database at an address of libpq. Connects to nothing.
  ///
  /// - Parameters:
  ///   - server: a data directory with the keys of the cluster: that of a node.
  ///   - secret: the secret that wraps the keys in the database.
  public init(_ address: String, keysOf server: EmbeddedServer, secret: ClusterSecret? = nil) {
    self.address = address
    self.server = server
    self.secret = secret
  }

  /// Makes the data directory.
  ///
  /// - Parameters:
  ///   - folder: must not exist.
  ///   - isCancelled: asked now and then; true ends the work, of which nothing is left.
  ///   - progress: called now and then.
  /// - Throws: ``ServerError/Code/clusterFailure`` when a node runs, an import was not finished or the record is damaged;
  ///   ``ServerError/Code/badKey`` when the keys are not the cluster's; ``ServerError/Code/dataDirectoryUnusable``
  /// - Complexity: O(size of the record); in memory, parts and commits of some MiB, and the largest table of the directory.
  public func run(
    to folder: String, isCancelled: () -> Bool = { false }, progress: (MoveProgress) -> Void = { _ in }
  ) throws(ServerError) -> MoveReport {
    let database = try ClusterDatabase(address)
    try MoveLock.checkIsFree(database)
    let lock = try MoveLock(database)
    return try server.makeDataDirectory(at: folder) { draft throws(ServerError) in
      do {
        let source = try PostgresDirectory(database, keys: draft.keys, secret: secret)
        defer { source.close() }
        try lock.fenceOffNodes()
        var report = MoveReport(remainder: server.remainder)
        let realms = try rows(source.allRealms(), lock.connection, &report)
        try copy(realms, to: draft, database, isCancelled, progress)
        report.bytes = try verify(realms, in: draft, lock.connection, isCancelled, progress)
        report.records = try DirectoryMove.copy(from: source, to: draft.directory)
        guard try DirectoryMove.isCopy(draft.directory, of: source) else {
          throw ServerError(
            .clusterFailure, "the directory of users was changed while it was moved", remedy: "export again")
        }
        try lock.check()
        return report
      } catch { throw ClusterDatabase.failure(error) }
    }
  }

  /// The rows of the realms of the directory that were ever opened.
  private func rows(
    _ paths: [RealmPath], _ connection: PostgresConnection, _ report: inout MoveReport
  ) throws -> [(path: RealmPath, row: RealmRow)] {
    let realms = try paths.compactMap { path in try UnfinishedMove.row(of: path, connection).map { (path, $0) } }
    report.realms = realms.count
    let (known, all) = (Set(paths.map(\.description)), try connection.query("SELECT path FROM realm ORDER BY path"))
    report.leftOut = (0..<all.count).compactMap { all[$0, 0] }.filter { !known.contains($0) }
    return realms
  }

  private func copy(
    _ realms: [(path: RealmPath, row: RealmRow)], to draft: DataDirectoryDraft, _ database: ClusterDatabase,
    _ isCancelled: () -> Bool, _ progress: (MoveProgress) -> Void
  ) throws {
    let known = realms.reduce(0) { $0 + Int($1.row.checkpointBytes) }
    var done = 0
    for (path, row) in realms {
      try ClusterImport.check(isCancelled)
      let cache = RealmCache(file: try draft.file(of: path), database: database)
      try cache.bringUp(to: row)
      try cache.leaveRecord()
      done += Int(row.checkpointBytes)
      progress(MoveProgress(step: .copying, done: done, known: known))
    }
  }

  /// Reads each file from end to end, and checks that the record has not changed since.
  ///
  /// - Returns: the bytes of all files.
  private func verify(
    _ realms: [(path: RealmPath, row: RealmRow)], in draft: DataDirectoryDraft, _ connection: PostgresConnection,
    _ isCancelled: () -> Bool, _ progress: (MoveProgress) -> Void
  ) throws -> Int {
    let known = realms.reduce(0) { $0 + Int($1.row.checkpointBytes) }
    var (done, bytes) = (0, 0)
    for (path, row) in realms {
      try ClusterImport.check(isCancelled)
      let file = try draft.file(of: path)
      var configuration = StoreConfiguration()
      configuration.createsIfMissing = false
      configuration.cacheBudgetInBytes = RealmImport.cacheBytes
      let store = try Store.open(.file(path: file), configuration: configuration)
      try store.verify()
      guard store.knownVersion == SnapshotVersion(row.version), try RealmRow.find(path.description, connection) == row
      else {
        throw ServerError(
          .clusterFailure, "the realm \(path) was changed while it was moved",
          remedy: "stop all nodes, and export again")
      }
      bytes += try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
      done += Int(row.checkpointBytes)
      progress(MoveProgress(step: .verifying, done: done, known: known))
    }
    return bytes
  }
}
