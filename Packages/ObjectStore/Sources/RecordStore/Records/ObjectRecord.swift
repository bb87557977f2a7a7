public import DataModel

/// One object as plain values, by stored names.
public struct ObjectRecord: Hashable, Sendable {
  /// Class and key. Embedded objects, which have no key of their own, are named by their row.
  public var reference: ObjectReference
  /// The primary key is one of them.
  public var fields: [String: StateDump.Item]

  /// A record.
  public init(reference: ObjectReference, fields: [String: StateDump.Item]) {
    self.reference = reference
    self.fields = fields
  }

  /// The class of the object.
  public var className: String { reference.className }
  /// The key of the object.
  public var key: ObjectKey { reference.key }

  /// The value of a field.
  public subscript(field: String) -> StateDump.Item? { fields[field] }
}
