public import ChangesetOT
import DataModel

/// A local change that a client reset could not carry over to the server's state.
public struct LostChange: Hashable, Sendable, CustomStringConvertible {
  /// When its transaction was made.
  public var madeAt: OriginTimestamp
  /// The client version of its transaction, as it was.
  public var version: ClientVersion
  /// The class; empty when the whole changeset cannot be read.
  public var className: String
  /// The key of the object, as text.
  public var key: String
  /// The field; nil for objects and classes as a whole.
  public var field: String?
  /// What the change was, in words.
  public var change: String
  /// Why it could not be carried over.
  public var reason: String

  /// A change.
  public init(
    madeAt: OriginTimestamp, version: ClientVersion, className: String, key: String, field: String? = nil,
    change: String, reason: String
  ) {
    self.madeAt = madeAt
    self.version = version
    self.className = className
    self.key = key
    self.field = field
    self.change = change
    self.reason = reason
  }

  public var description: String { "\(change): \(reason)" }
}

extension LostChange {
  init(_ instruction: Instruction, _ entry: ClientLogEntry, _ version: ClientVersion, _ reason: String) {
    let object = instruction.object
    self.init(
      madeAt: entry.timestamp, version: version, className: object?.className ?? instruction.table ?? "",
      key: object.map { "\($0.key)" } ?? "", field: instruction.place?.field, change: "\(instruction)", reason: reason)
  }
}

extension Instruction {
  /// The field that it is about, unless it is about a whole object or class.
  var place: Target? {
    switch self {
    case .update(let it): it.target
    case .addInteger(let it): it.target
    case .arrayInsert(let it): it.target
    case .arrayMove(let it): it.target
    case .arrayErase(let it): it.target
    case .clear(let it): it.target
    case .setInsert(let it): it.target
    case .setErase(let it): it.target
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject: nil
    }
  }

  /// The top-level object that it is about.
  var object: ObjectReference? {
    switch self {
    case .createObject(let it): it.object
    case .eraseObject(let it): it.object
    default: place?.object
    }
  }

  /// The class that it is about, for instructions of the schema.
  var table: String? {
    switch self {
    case .addTable(let it): it.table
    case .eraseTable(let it): it.table
    case .addColumn(let it): it.table
    case .eraseColumn(let it): it.table
    default: object?.className
    }
  }
}
