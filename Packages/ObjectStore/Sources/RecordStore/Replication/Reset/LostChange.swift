public import ChangesetOT
import DataModel

/// A local change that a client reset could not repeat on the server's state.
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
  /// The change in words.
  public var change: String
  /// The reason why it was lost, in words.
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

  /// Change and reason.
  public var description: String { "\(change): \(reason)" }
}

extension LostChange {
  init(_ instruction: Instruction, _ entry: ClientLogEntry, _ version: ClientVersion, _ reason: String) {
    let object = instruction.object
    self.init(
      madeAt: entry.timestamp, version: version, className: instruction.className,
      key: object.map { "\($0.key)" } ?? "", field: instruction.target?.field, change: "\(instruction)", reason: reason)
  }
}
