import Foundation
import ObjectServer
import PostgresClient
import StorageEngine

/// The file of a realm on this node as a cache of its record: brought up to the record before a store opens it.
struct RealmCache {
  /// The path of the file.
  let file: String
  let database: ClusterDatabase

  /// Bytes of changes that are fetched at once, about.
  static let portion = 4 << 20
  private static let companions = ["-wal", "-shm", "-journal", ".lock"]

  /// Brings the file up to a row, or makes it anew where it is not a copy of an earlier version of it.
  ///
  /// - Throws: `PostgresError`, `StorageError`; ``ServerError/Code/clusterFailure`` when the record is damaged.
  /// - Complexity: O(changes since the version of the file); of a file that is made anew O(checkpoint and all changes since).
  func bringUp(to row: RealmRow) throws {
    if FileManager.default.fileExists(atPath: file), try applyTail(of: row) { return }
    try remove()
    try fetchCheckpoint(of: row)
    guard try applyTail(of: row) else {
      throw ServerError(
        .clusterFailure, "the record of the realm in the database is damaged",
        remedy: "restore a backup of the database")
    }
  }

  /// Makes the file one that has no record, for a server that is alone.
  ///
  /// - Throws: `StorageError`
  func leaveRecord() throws { try StoreReplica(path: file).keep(mark: nil) }

  /// Removes the file.
  func remove() throws {
    for name in [""] + Self.companions where unlink(file + name) != 0 && errno != ENOENT {
      throw ServerError(
        .realmFailure, "\(file + name) cannot be removed: \(String(cString: strerror(errno)))",
        remedy: "check the permissions of the data directory")
    }
  }

  /// - Returns: false when the file is not an earlier version of the row, or the record does not lead from it to the row.
  private func applyTail(of row: RealmRow) throws -> Bool {
    let replica: StoreReplica
    do { replica = try StoreReplica(path: file) } catch is StorageError { return false }
    guard replica.version <= row.version, var digest = try digest(of: row, at: replica.version) else { return false }
    // The mark of a file is the digest of its last commit; that of an empty file is none.
    guard replica.mark ?? [] == digest else { return false }
    while replica.version < row.version {
      let commits = try database.perform { try Self.commits(of: row, after: replica.version, $0) }
      guard !commits.isEmpty else { return false }
      for (commit, expected) in commits {
        digest = CommitDigest.next(digest, version: commit.version, changes: commit.changes)
        guard digest == expected else { return false }
      }
      do { try replica.apply(commits.map(\.0), mark: digest) } catch let error as StorageError
        where error.code == .corrupt
      { return false }
    }
    return digest == row.digest
  }

  /// The digest of a version; nil when the record does not have it any more.
  private func digest(of row: RealmRow, at version: UInt64) throws -> [UInt8]? {
    if version == row.version { return row.digest }
    if version == row.checkpoint { return row.checkpointDigest }
    if version < row.checkpoint { return nil }
    return try database.perform {
      try $0.query(
        "SELECT digest FROM realm_commit WHERE realm = $1 AND version = $2",
        parameters: [.integer(row.number), .integer(Int64(bitPattern: version))]
      ).bytes(0, 0)
    }
  }

  private static func commits(
    of row: RealmRow, after version: UInt64, _ connection: PostgresConnection
  ) throws -> [(JournaledCommit, [UInt8])] {
    let rows = try connection.query(
      """
      SELECT version, changes, digest FROM (
        SELECT version, changes, digest, sum(length(changes)) OVER (ORDER BY version) - length(changes) AS before
        FROM (SELECT * FROM realm_commit WHERE realm = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT 1000)
      AS next) AS summed WHERE before < $4 ORDER BY version
      """,
      parameters: [
        .integer(row.number), .integer(Int64(bitPattern: version)), .integer(Int64(bitPattern: row.version)),
        .integer(Int64(portion)),
      ])
    return (0..<rows.count).compactMap { number in
      guard let version = rows.integer(number, 0), let changes = rows.bytes(number, 1),
        let digest = rows.bytes(number, 2)
      else { return nil }
      return (JournaledCommit(version: UInt64(bitPattern: version), changes: changes), digest)
    }
  }

  /// Writes the file of the checkpoint; none where the record begins with an empty file.
  private func fetchCheckpoint(of row: RealmRow) throws {
    guard row.checkpoint > 1 else { return }
    let draft = file + ".draft"
    _ = FileManager.default.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o600])
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: draft))
    defer { try? handle.close() }
    for part in 0... {
      let content = try database.perform {
        try $0.query(
          "SELECT content FROM realm_checkpoint WHERE realm = $1 AND version = $2 AND part = $3",
          parameters: [.integer(row.number), .integer(Int64(bitPattern: row.checkpoint)), .integer(Int64(part))]
        ).bytes(0, 0)
      }
      guard let content else { break }
      try handle.write(contentsOf: content)
    }
    guard rename(draft, file) == 0 else {
      throw ServerError(
        .realmFailure, "\(draft) cannot be renamed", remedy: "check the permissions of the data directory")
    }
  }
}
