import PostgresClient

/// The row of a realm's record.
struct RealmRow: Hashable, Sendable {
  var number: Int64
  /// The latest version, and the digest of all commits up to it.
  var version: UInt64
  var digest: [UInt8]
  /// The version of the checkpoint, 1 for none, with its digest.
  var checkpoint: UInt64
  var checkpointDigest: [UInt8]
  var checkpointBytes: Int64

  /// The row of a path; nil when there is none.
  ///
  /// - Throws: `PostgresError`.
  static func find(_ path: String, _ connection: PostgresConnection) throws -> RealmRow? {
    let rows = try connection.query(
      """
      SELECT number, version, digest, checkpoint, checkpoint_digest, checkpoint_bytes FROM realm WHERE path = $1
      """, parameters: [.text(path)])
    guard rows.count == 1, let number = rows.integer(0, 0), let version = rows.integer(0, 1),
      let digest = rows.bytes(0, 2), let checkpoint = rows.integer(0, 3), let checkpointDigest = rows.bytes(0, 4),
      let bytes = rows.integer(0, 5)
    else { return nil }
    return RealmRow(
      number: number, version: UInt64(bitPattern: version), digest: digest, checkpoint: UInt64(bitPattern: checkpoint),
      checkpointDigest: checkpointDigest, checkpointBytes: bytes)
  }
}
