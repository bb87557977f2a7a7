import ByteCoding
import ChangesetOT
import StorageEngine

/// The inverses of a server's history, by version. They are kept from the first client with a view on: a realm without such
/// clients pays nothing for them.
enum InverseLog {
  static let entries = "inverses"
  private static let recordName = "inverses since"

  /// The version after which every version has its inverse; nil when none are kept.
  static func since(in reader: any StorageReader) throws -> ServerVersion? {
    guard let bytes = try reader.rootRecord(recordName) else { return nil }
    var content = ByteReader(bytes)
    return ServerVersion(try content.readVarint())
  }

  /// Begins to keep inverses, or forgets those of versions up to one, whose past can no longer be told.
  static func begin(after version: ServerVersion, in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(version.rawValue)
    try transaction.setRootRecord(recordName, writer.bytes)
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
    guard !inverse.parts.isEmpty else { return }
    let entry = LogEntry(position: Int64(clamping: version.rawValue), content: inverse.encoded())
    try transaction.log(entries).put([entry])
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
