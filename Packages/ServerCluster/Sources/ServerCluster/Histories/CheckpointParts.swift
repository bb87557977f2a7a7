import Cryptography
import Foundation
import PostgresClient

/// The measure of a checkpoint in parts, in a file and in the record: their number, their bytes, and the digest of their digests. One part
/// is in memory at a time.
struct CheckpointParts: Hashable, Sendable {
  var count: Int64 = 0
  var bytes: Int64 = 0
  var digest: [UInt8] = []
  /// Bytes of a part.
  static let size = 1 << 20

  /// The parts of a file.
  ///
  /// - Parameter body: called with the number and the content of each part, in order.
  /// - Throws: the error of `body`, and that of reading the file.
  /// - Complexity: O(bytes).
  init(ofFile file: String, _ body: (_ part: Int64, _ content: [UInt8]) throws -> Void = { _, _ in }) throws {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    defer { try? handle.close() }
    var digests: [UInt8] = []
    while let content = try handle.read(upToCount: Self.size).map(Array.init), !content.isEmpty {
      try body(count, content)
      digests += Digest.sha256.hash(content)
      count += 1
      bytes += Int64(content.count)
    }
    digest = Digest.sha256.hash(digests)
  }

  /// The parts of the checkpoint of a realm, as the database has them; nil when there is none.
  ///
  /// - Throws: `PostgresError`.
  /// - Complexity: O(bytes), in the database.
  init?(of row: RealmRow, _ connection: PostgresConnection) throws {
    let rows = try connection.query(
      """
      SELECT count(*), sum(length(content)), sha256(string_agg(sha256(content), ''::bytea ORDER BY part)),
        max(part) + 1 FROM realm_checkpoint WHERE realm = $1 AND version = $2
      """, parameters: [.integer(row.number), .integer(Int64(bitPattern: row.checkpoint))])
    guard let count = rows.integer(0, 0), let bytes = rows.integer(0, 1), let digest = rows.bytes(0, 2),
      rows.integer(0, 3) == count
    else { return nil }
    (self.count, self.bytes, self.digest) = (count, bytes, digest)
  }

  /// Inserts the parts of a file as the checkpoint of a realm, within a transaction.
  ///
  /// - Parameter inserted: called after each part with the bytes so far.
  /// - Throws: `PostgresError`; the error of `inserted`.
  /// - Returns: the parts.
  static func insert(
    _ file: String, realm: Int64, version: UInt64, _ connection: PostgresConnection,
    inserted: (Int64) throws -> Void = { _ in }
  ) throws -> CheckpointParts {
    var bytes: Int64 = 0
    return try CheckpointParts(ofFile: file) { part, content in
      try connection.query(
        "INSERT INTO realm_checkpoint(realm, version, part, content) VALUES ($1, $2, $3, $4)",
        parameters: [.integer(realm), .integer(Int64(bitPattern: version)), .integer(part), .bytes(content)])
      bytes += Int64(content.count)
      try inserted(bytes)
    }
  }
}
