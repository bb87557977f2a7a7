import ObjectServer
import PostgresClient
import StorageEngine

/// Puts the file of a realm at its present version into the record, and removes the commits before.
struct RealmCheckpoint {
  let journal: RealmJournal
  let database: ClusterDatabase
  let ownership: ShardOwnership

  /// Whether a record is due for a checkpoint: its changes have outgrown twice the last one, so that the sum of all checkpoints stays
  /// in proportion to what was written.
  ///
  /// - Parameter least: bytes of changes below which there is none.
  static func isDue(tail: Int64, checkpoint: Int64, least: Int64) -> Bool { tail > max(least, 2 * checkpoint) }

  /// Uploads a copy of the file.
  ///
  /// - Parameter copy: a copy that ``Store/writeCopy(toPath:key:progress:)`` made; its mark is the digest of its version.
  /// - Returns: the bytes of the checkpoint; nil when another node has the realm, and nothing was changed.
  /// - Throws: `PostgresError`, `StorageError`.
  func upload(_ copy: String) throws -> Int64? {
    let replica = try StoreReplica(path: copy)
    guard let fence = ownership.fence(of: journal.shard), let digest = replica.mark else { return nil }
    let version = PostgresParameter.integer(Int64(bitPattern: replica.version))
    let realm = PostgresParameter.integer(journal.realm)
    return try database.perform { connection in
      try connection.transaction { () -> Int64? in
        let bytes = try CheckpointParts.insert(copy, realm: journal.realm, version: replica.version, connection).bytes
        let moved = try connection.query(
          """
          WITH fence AS (\(ShardFence.row))
          UPDATE realm SET checkpoint = $6, checkpoint_digest = $7, checkpoint_bytes = $8
          WHERE number = $5 AND checkpoint < $6 AND EXISTS (SELECT 1 FROM fence)
          """,
          parameters: fence.parameters + [realm, version, .bytes(digest), .integer(bytes)]
        ).affected
        guard moved == 1 else { throw Superseded() }
        try connection.query(
          "DELETE FROM realm_checkpoint WHERE realm = $1 AND version < $2", parameters: [realm, version])
        try connection.query(
          "DELETE FROM realm_commit WHERE realm = $1 AND version <= $2", parameters: [realm, version])
        return bytes
      }
    }
  }

  /// Another node has the realm, or it has a newer checkpoint.
  struct Superseded: Error {}
}
