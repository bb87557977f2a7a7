import Foundation
import ObjectServer
import Permissions
import PostgresClient
import StorageEngine

/// The file of a realm as the first checkpoint of its record.
struct RealmImport: Hashable, Sendable {
  let path: RealmPath
  /// The version of the file, which the record begins with.
  let version: UInt64
  /// The digest of the record at this version: of the file as if it were one commit.
  let digest: [UInt8]
  /// The parts that the record is to have.
  let parts: CheckpointParts
  /// The memory for the nodes of a file while it is read from end to end.
  static let cacheBytes = 64 << 20

  /// Checks a file and makes a copy of it with the mark of the record.
  ///
  /// - Parameters:
  ///   - file: of a store that nobody has open.
  ///   - copy: of no existing file.
  /// - Throws: `StorageError` when the file is damaged, or the copy cannot be written.
  /// - Complexity: O(size of the file); in memory, a part.
  init(_ path: RealmPath, file: String, copy: String) throws {
    var configuration = StoreConfiguration()
    configuration.createsIfMissing = false
    configuration.cacheBudgetInBytes = RealmImport.cacheBytes
    let store = try Store.open(.file(path: file), configuration: configuration)
    try store.verify()
    try store.writeCopy(toPath: copy)
    let version = try Self.mark(copy, nil)
    let digest = CommitDigest.next([], version: version, changes: try CheckpointParts(ofFile: copy).digest)
    _ = try Self.mark(copy, digest)
    (self.path, self.version, self.digest) = (path, version, digest)
    parts = try CheckpointParts(ofFile: copy)
  }

  /// Sets the mark of a file, and closes it, so that all of it is in the one file.
  private static func mark(_ copy: String, _ mark: [UInt8]?) throws -> UInt64 {
    let replica = try StoreReplica(path: copy)
    try replica.keep(mark: mark)
    return replica.version
  }

  /// The row that the record has when it is as it should be.
  private func isWanted(_ row: RealmRow) -> Bool {
    row.version == version && row.digest == digest && row.checkpoint == version && row.checkpointDigest == digest
      && row.checkpointBytes == parts.bytes
  }

  /// Whether the record has the realm as it should be, content included.
  ///
  /// - Throws: `PostgresError`.
  /// - Complexity: O(bytes), in the database.
  func isRecorded(_ connection: PostgresConnection) throws -> Bool {
    guard let row = try RealmRow.find(path.description, connection), isWanted(row) else { return false }
    return try CheckpointParts(of: row, connection) == parts
  }

  /// Puts the copy into the record, in the place of what was there, in one transaction.
  ///
  /// - Parameter progress: called with the bytes so far.
  /// - Throws: `PostgresError`; the error of `progress`.
  func record(_ copy: String, _ connection: PostgresConnection, progress: (Int64) throws -> Void) throws {
    try connection.transaction {
      try connection.query("DELETE FROM realm WHERE path = $1", parameters: [.text(path.description)])
      let row = try connection.query(
        """
        INSERT INTO realm(path, shard, version, digest, checkpoint, checkpoint_digest, checkpoint_bytes)
        VALUES ($1, $2, $3, $4, $3, $4, $5) RETURNING number
        """,
        parameters: [
          .text(path.description), .integer(Int64(ShardNumber(of: path).rawValue)),
          .integer(Int64(bitPattern: version)), .bytes(digest), .integer(parts.bytes),
        ])
      guard let realm = row.integer(0, 0) else { throw PostgresError(message: "the realm was not entered") }
      _ = try CheckpointParts.insert(copy, realm: realm, version: version, connection, inserted: progress)
    }
  }
}
