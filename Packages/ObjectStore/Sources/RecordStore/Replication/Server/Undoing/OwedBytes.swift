import ByteCoding
import ChangesetOT
import StorageEngine

/// The bytes of compensating changesets that one client has not acknowledged. Without a bound, a user who may only read could
/// fill the history with a few bytes.
enum OwedBytes {
  /// The most bytes that may be owed to one client.
  static let limit = 4 << 20

  private static func name(_ file: FileIdent) -> String { "owed \(file.rawValue)" }

  /// The last version that was appended for a client; zero when none was.
  static func last(of file: FileIdent, in transaction: WriteTransaction) throws -> ServerVersion {
    guard let bytes = try transaction.rootRecord(name(file)) else { return .zero }
    var reader = ByteReader(bytes)
    return ServerVersion(try reader.readVarint())
  }

  /// Counts what was appended for a client.
  ///
  /// - Parameter acknowledged: how far the client has the history. When it has all that was owed, counting begins anew.
  /// - Throws: ``UploadRefusal/cannotBeUndone(_:)`` above ``limit``.
  static func add(
    _ count: Int, at version: ServerVersion, of file: FileIdent, acknowledged: ServerVersion,
    in transaction: WriteTransaction
  ) throws {
    let name = name(file)
    var owed = 0
    if let bytes = try transaction.rootRecord(name) {
      var reader = ByteReader(bytes)
      let last = ServerVersion(try reader.readVarint())
      if acknowledged < last { owed = try reader.readVarint() }
    }
    owed += count
    guard owed <= limit else { throw UploadRefusal.cannotBeUndone("more than \(limit) bytes wait to be set back") }
    var writer = ByteWriter()
    writer.writeVarint(version.rawValue)
    writer.writeVarint(owed)
    try transaction.setRootRecord(name, writer.bytes)
  }
}
