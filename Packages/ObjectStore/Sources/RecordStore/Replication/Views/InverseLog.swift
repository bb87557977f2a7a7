import ByteCoding
import ChangesetOT
import StorageEngine

/// The inverses of a server's history, by version. They are kept from the first client with a view, or the first cursor of the
/// feed, on: a realm without these pays nothing for them.
///
///     record    version after which every version has its inverse, bytes of all inverses ever
///     entry     inverse, bytes of all inverses up to this one
///
/// Bytes that are missing, of earlier releases, stand for 0.
enum InverseLog {
  static let entries = "inverses"
  private static let recordName = "inverses since"

  private struct Extent {
    var since: ServerVersion
    var bytes: UInt64
  }

  private static func extent(in reader: any StorageReader) throws -> Extent? {
    guard let bytes = try reader.rootRecord(recordName) else { return nil }
    var content = ByteReader(bytes)
    let since = ServerVersion(try content.readVarint())
    return Extent(since: since, bytes: content.remaining == 0 ? 0 : try content.readVarint())
  }

  private static func store(_ extent: Extent, in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(extent.since.rawValue)
    writer.writeVarint(extent.bytes)
    try transaction.setRootRecord(recordName, writer.bytes)
  }

  /// The version after which every version has its inverse; nil when none are kept.
  static func since(in reader: any StorageReader) throws -> ServerVersion? { try extent(in: reader)?.since }

  /// The bytes of all inverses ever.
  static func totalBytes(in reader: any StorageReader) throws -> UInt64 { try extent(in: reader)?.bytes ?? 0 }

  /// Begins to keep inverses, or forgets those of versions up to one, whose past can no longer be told.
  static func begin(after version: ServerVersion, in transaction: WriteTransaction) throws {
    try store(Extent(since: version, bytes: totalBytes(in: transaction)), in: transaction)
    try trim(through: version, in: transaction)
  }

  /// Drops the inverses of versions that are no longer kept.
  static func trim(through version: ServerVersion, in transaction: WriteTransaction) throws {
    try transaction.log(entries).delete(through: Int64(clamping: version.rawValue))
  }

  /// Keeps the inverse of a version.
  ///
  /// The erasure of a class or a field takes the past of its objects away: no inverse from before it can be used.
  static func keep(
    _ inverse: VersionInverse, of instructions: [Instruction], at version: ServerVersion,
    in transaction: WriteTransaction
  ) throws {
    if instructions.contains(where: \.erasesSchema) { return try begin(after: version, in: transaction) }
    guard !inverse.parts.isEmpty, var extent = try extent(in: transaction) else { return }
    var content = ByteWriter()
    content.writeBytes(inverse.encoded())
    extent.bytes += UInt64(content.bytes.count)
    content.writeVarint(extent.bytes)
    try transaction.log(entries).put([LogEntry(position: Int64(clamping: version.rawValue), content: content.bytes)])
    try store(extent, in: transaction)
  }

  /// The bytes of all inverses before an entry.
  ///
  /// - Throws: `StorageError` with code `corrupt`.
  /// - Complexity: O(*n*) in the bytes of the entry.
  static func bytes(before entry: [UInt8]) throws -> UInt64 {
    do {
      var reader = ByteReader(entry)
      _ = try VersionInverse(reading: &reader)
      let own = UInt64(entry.count - reader.remaining)
      let through: UInt64 = reader.remaining == 0 ? 0 : try reader.readVarint()
      return through - min(through, own)
    } catch is ByteDecodingError { throw StorageError.damagedInverse }
  }

  /// Keeps the inverse of what the server's own transaction did, whose state before it is the latest committed one.
  static func keep(_ changeset: [UInt8], at version: ServerVersion, of session: WriteSession) throws {
    guard try since(in: session.transaction) != nil else { return }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    let instructions = try Changeset(decoding: changeset, origin: origin).instructions
    let inverse = try VersionInverse(of: instructions, in: session.file.latestReadView())
    try keep(inverse, of: instructions, at: version, in: session.transaction)
  }
}

extension Instruction {
  /// Whether the instruction erases a class or a field.
  var erasesSchema: Bool {
    switch self {
    case .eraseTable, .eraseColumn: true
    case .addTable, .addColumn, .createObject, .eraseObject, .update, .addInteger, .arrayInsert, .arrayMove,
      .arrayErase,
      .clear, .setInsert, .setErase:
      false
    }
  }
}
