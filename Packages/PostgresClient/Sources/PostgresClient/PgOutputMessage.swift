/// One message of `pgoutput`, protocol version 1 with messages. Source: PostgreSQL's documentation, "Logical Replication Message
/// Formats".
public enum PgOutputMessage: Hashable, Sendable {
  /// A transaction begins; the position and the time of its commit, in microseconds since 2000, and the low 32 bits of its number.
  case begin(commit: LogPosition, microseconds: Int64, transaction: UInt32)
  /// The transaction ends at a position.
  case commit(end: LogPosition)
  /// Columns of a table that the following rows have.
  case relation(PgRelation)
  /// A new row.
  case insert(relation: UInt32, [PgColumnValue])
  /// A changed row; the old row, or its key, where the table's identity has it.
  case update(relation: UInt32, old: [PgColumnValue]?, new: [PgColumnValue])
  /// A deleted row: the whole old one or its key.
  case delete(relation: UInt32, old: [PgColumnValue])
  /// Emptied tables.
  case truncate(relations: [UInt32])
  /// A text that a transaction left.
  case message(prefix: String, content: String)
  /// The name of the replication origin of the transaction that has just begun.
  case origin(String)
  /// A type, which nothing here depends on.
  case other
}

/// A table as `pgoutput` names it.
public struct PgRelation: Hashable, Sendable {
  /// Names the table in later messages.
  public var id: UInt32
  /// The schema.
  public var namespace: String
  /// The table.
  public var name: String
  /// Its columns in order.
  public var columns: [String]
  /// The types of the columns, by PostgreSQL's numbers.
  public var types: [UInt32]
  /// Whether old rows are sent whole.
  public var sendsOldRows: Bool
}

/// The value of a column.
public enum PgColumnValue: Hashable, Sendable {
  /// NULL.
  case null
  /// A large value that did not change, and is not sent.
  case unchanged
  /// A value as text.
  case text(String)
}

/// A message that does not have the documented form.
public struct PgOutputError: Error, Hashable, Sendable {
  /// The byte at which it was noticed.
  public var position: Int
}

extension PgOutputMessage {
  /// Reads a message.
  ///
  /// - Throws: ``PgOutputError`` with the position of the fault.
  public init(_ bytes: [UInt8]) throws(PgOutputError) {
    var reader = PgOutputReader(bytes)
    switch try reader.byte() {
    case UInt8(ascii: "B"):
      let commit = LogPosition(try reader.number(8))
      let microseconds = Int64(bitPattern: try reader.number(8))
      self = .begin(
        commit: commit, microseconds: microseconds, transaction: UInt32(truncatingIfNeeded: try reader.number(4)))
    case UInt8(ascii: "C"):
      _ = try reader.byte()
      _ = try reader.number(8)
      self = .commit(end: LogPosition(try reader.number(8)))
    case UInt8(ascii: "R"):
      let id = UInt32(truncatingIfNeeded: try reader.number(4))
      let (namespace, name) = (try reader.text(), try reader.text())
      let identity = try reader.byte()
      var columns: [String] = []
      var types: [UInt32] = []
      for _ in 0..<(try reader.number(2)) {
        _ = try reader.byte()
        columns.append(try reader.text())
        types.append(UInt32(truncatingIfNeeded: try reader.number(4)))
        _ = try reader.number(4)
      }
      self = .relation(
        PgRelation(
          id: id, namespace: namespace.isEmpty ? "pg_catalog" : namespace, name: name, columns: columns,
          types: types, sendsOldRows: identity == UInt8(ascii: "f")))
    case UInt8(ascii: "I"):
      let id = UInt32(truncatingIfNeeded: try reader.number(4))
      guard try reader.byte() == UInt8(ascii: "N") else { throw reader.fault }
      self = .insert(relation: id, try reader.row())
    case UInt8(ascii: "U"):
      let id = UInt32(truncatingIfNeeded: try reader.number(4))
      var old: [PgColumnValue]?
      var kind = try reader.byte()
      if kind == UInt8(ascii: "K") || kind == UInt8(ascii: "O") {
        old = try reader.row()
        kind = try reader.byte()
      }
      guard kind == UInt8(ascii: "N") else { throw reader.fault }
      self = .update(relation: id, old: old, new: try reader.row())
    case UInt8(ascii: "D"):
      let id = UInt32(truncatingIfNeeded: try reader.number(4))
      _ = try reader.byte()
      self = .delete(relation: id, old: try reader.row())
    case UInt8(ascii: "T"):
      let count = try reader.number(4)
      _ = try reader.byte()
      var relations: [UInt32] = []
      for _ in 0..<count { relations.append(UInt32(truncatingIfNeeded: try reader.number(4))) }
      self = .truncate(relations: relations)
    case UInt8(ascii: "M"):
      _ = try reader.byte()
      _ = try reader.number(8)
      let prefix = try reader.text()
      self = .message(prefix: prefix, content: try reader.counted())
    case UInt8(ascii: "O"):
      _ = try reader.number(8)
      self = .origin(try reader.text())
    default: self = .other
    }
  }
}
