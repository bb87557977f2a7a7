import Foundation
public import ObjectServer
import Permissions
import PostgresClient

/// Moves a data directory into the empty database of a cluster: each realm with its history, its client files and its versions, then the
/// directory of users. Clients go on as if the server had been started again.
///
///     let report = try ClusterImport("postgresql://db.example.com/realms", of: EmbeddedServer(path: "/var/lib/openrealm")).run()
///
/// A realm is in the record when its transaction was committed. The directory is the last, in one transaction, after all realms were
/// compared with their files: no node enters before. So a run that ends early has done no harm, and another one goes on: it compares
/// what is there and replaces what differs.
public struct ClusterImport: Sendable {
  private let address: String
  private let server: EmbeddedServer
  private let secret: ClusterSecret?

  /// The import of a data directory into the database at an address of libpq. Connects to nothing.
  ///
  /// - Parameter secret: the secret that wraps the keys in the database.
  public init(_ address: String, of server: EmbeddedServer, secret: ClusterSecret? = nil) {
    self.address = address
    self.server = server
    self.secret = secret
  }

  /// Moves, compares, and marks the data directory as moved.
  ///
  /// - Parameters:
  ///   - isCancelled: asked now and then; true ends the work, of which another run does the rest.
  ///   - progress: called now and then.
  /// - Throws: ``ServerError/Code/dataDirectoryLocked`` while a server uses the directory, ``ServerError/Code/clusterFailure`` when the
  ///   cluster is not empty, or one of its servers runs; ``ServerError/Code/badKey`` when an earlier run had another directory;
  ///   ``ServerError/Code/realmFailure`` for a damaged file.
  /// - Complexity: O(size of the data directory); in memory, a part of a realm, and some bytes for each.
  public func run(
    isCancelled: () -> Bool = { false }, progress: (MoveProgress) -> Void = { _ in }
  ) throws(ServerError) -> MoveReport {
    let source = try StoppedDirectory(server)
    let database = try ClusterDatabase(address)
    let lock = try MoveLock(database)
    var report = MoveReport(leftOut: source.unknownFiles, remainder: server.remainder)
    do {
      try Self.checkIsUnused(lock.connection)
      let target = try PostgresDirectory(database, keys: source.keys, secret: secret)
      defer { target.close() }
      let isMoved = try DirectoryMove.count(target) > 0
      if isMoved, try !DirectoryMove.isCopy(target, of: source.directory) {
        throw ServerError(
          .clusterFailure, "the directory of users in the cluster is not empty, and another one",
          remedy: "import into a new database")
      }
      let realms = try copy(source, lock.connection, isCancelled, progress, &report)
      try verify(realms, lock.connection, isCancelled, progress)
      if !isMoved { try DirectoryMove.copy(from: source.directory, to: target) }
      guard try DirectoryMove.isCopy(target, of: source.directory) else {
        throw ServerError(
          .clusterFailure, "the directory of users was changed while it was moved",
          remedy: "import into a new database, and run no other command beside")
      }
      report.records = try DirectoryMove.count(target)
      try lock.check()
    } catch { throw ClusterDatabase.failure(error) }
    try source.markMoved()
    return report
  }

  /// Refuses a database on which nodes have run: what they acknowledged is not in the data directory.
  private static func checkIsUnused(_ connection: PostgresConnection) throws {
    let nodes = try ShardTable.members(connection).map(\.node.name)
    let commits = try connection.query("SELECT 1 FROM realm_commit LIMIT 1").count
    guard nodes.isEmpty, commits == 0 else {
      throw ServerError(
        .clusterFailure, "the cluster is not empty: servers have run on it, such as \(nodes.first ?? "a former one")",
        remedy: "import into a new database")
    }
  }

  /// Copies the realms that the record does not have as they are, and removes those that the data directory does not have.
  private func copy(
    _ source: StoppedDirectory, _ connection: PostgresConnection, _ isCancelled: () -> Bool,
    _ progress: (MoveProgress) -> Void, _ report: inout MoveReport
  ) throws -> [RealmImport] {
    var realms: [RealmImport] = []
    let known = source.realms.reduce(0) { $0 + Self.size($1.file) }
    var done = 0
    try Self.removeRealms(except: Set(source.realms.map(\.path.description)), connection)
    for (path, file) in source.realms {
      try Self.check(isCancelled)
      let copy = file + ".checkpoint"
      unlink(copy)
      defer { unlink(copy) }
      let realm: RealmImport
      do { realm = try RealmImport(path, file: file, copy: copy) } catch {
        throw ServerError(
          .realmFailure, "\(file) of \(path) cannot be copied",
          remedy: "'verify' tells whether the file is damaged; the copy needs as much free space as the file",
          cause: error)
      }
      if try realm.isRecorded(connection) {
        report.found += 1
      } else {
        try realm.record(copy, connection) { bytes in
          try Self.check(isCancelled)
          progress(MoveProgress(step: .copying, done: done + Int(bytes), known: known))
        }
      }
      realms.append(realm)
      report.realms += 1
      report.bytes += Int(realm.parts.bytes)
      done += Self.size(file)
      progress(MoveProgress(step: .copying, done: done, known: known))
    }
    return realms
  }

  private func verify(
    _ realms: [RealmImport], _ connection: PostgresConnection, _ isCancelled: () -> Bool,
    _ progress: (MoveProgress) -> Void
  ) throws {
    let known = realms.reduce(0) { $0 + Int($1.parts.bytes) }
    var done = 0
    let count = try connection.query("SELECT count(*) FROM realm").integer(0, 0)
    guard count == Int64(realms.count) else {
      throw Self.differs("the cluster has \(count ?? 0) realms of \(realms.count)")
    }
    for realm in realms {
      try Self.check(isCancelled)
      guard try realm.isRecorded(connection) else {
        throw Self.differs("\(realm.path) in the cluster is not what was copied")
      }
      done += Int(realm.parts.bytes)
      progress(MoveProgress(step: .verifying, done: done, known: known))
    }
  }

  private static func removeRealms(except paths: Set<String>, _ connection: PostgresConnection) throws {
    let rows = try connection.query("SELECT path FROM realm")
    for row in 0..<rows.count {
      guard let path = rows[row, 0], !paths.contains(path) else { continue }
      try connection.query("DELETE FROM realm WHERE path = $1", parameters: [.text(path)])
    }
  }

  private static func differs(_ message: String) -> ServerError {
    ServerError(.clusterFailure, message, remedy: "run the import again; check the disk of the database")
  }

  static func check(_ isCancelled: () -> Bool) throws {
    if isCancelled() { throw ServerError(.interrupted, "interrupted", remedy: "") }
  }

  private static func size(_ file: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int) ?? 0
  }
}
