import ByteCoding
import ChangesetOT
import StorageEngine

/// The salts of older versions of a server's history: each belongs to the versions up to one, from the previous one's on.
///
///     count, (through version, salt) …
struct ServerSalts {
  private static let recordName = "server salts"
  /// Older ones are forgotten: a client that has not been seen for that many restarts starts anew.
  private static let limit = 512

  /// Keeps the present salt for the versions so far; the next ones have another.
  static func close(_ state: ServerState, in transaction: WriteTransaction) throws {
    guard state.current != .zero else { return }
    var salts = try stored(in: transaction)
    salts.append((state.current, state.salt))
    // Salts of trimmed versions are never asked for.
    salts.removeAll { $0.through < state.base }
    var writer = ByteWriter()
    let kept = salts.suffix(limit)
    writer.writeVarint(UInt64(kept.count))
    for (through, salt) in kept {
      writer.writeVarint(through.rawValue)
      writer.writeVarint(salt)
    }
    try transaction.setRootRecord(recordName, writer.bytes)
  }

  /// The salt that goes with a version of the history; nil when it has no such version, or has forgotten.
  static func salt(of version: ServerVersion, _ state: ServerState, in reader: any StorageReader) throws -> Int64? {
    if version == .zero { return 0 }
    guard version <= state.current else { return nil }
    let older = try stored(in: reader)
    guard let last = older.last, version <= last.through else { return state.salt }
    return older.first { version <= $0.through }?.salt
  }

  private static func stored(in reader: any StorageReader) throws -> [(through: ServerVersion, salt: Int64)] {
    guard let bytes = try reader.rootRecord(recordName) else { return [] }
    var content = ByteReader(bytes)
    let count: UInt64 = try content.readVarint()
    var salts: [(through: ServerVersion, salt: Int64)] = []
    for _ in 0..<min(count, UInt64(limit)) {
      salts.append((ServerVersion(try content.readVarint()), try content.readVarint()))
    }
    return salts
  }
}
