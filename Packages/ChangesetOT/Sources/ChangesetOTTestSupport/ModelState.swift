public import ChangesetOT
public import DataModel

/// A whole realm as a plain value: what applying changesets must come to, in its simplest form.
///
///     var state = ModelState()
///     try state.apply(changeset)
///     state == other                   // same classes, same objects, same values
///
/// Every instruction either has the effect that the format describes or throws ``ModelError`` as it describes.
public struct ModelState: Hashable, Sendable {
  public var classes: [String: ModelClass] = [:]
  public var objects: [String: [ObjectKey: [String: ModelValue]]] = [:]

  public init() {}

  /// Whether an object exists.
  public func contains(_ reference: ObjectReference) -> Bool {
    objects[reference.className]?[reference.key] != nil
  }

  /// What a new object of a class holds.
  public func initialFields(of table: String) -> [String: ModelValue] {
    types.initialFields(of: table)
  }

  /// Applies the changesets in order.
  public mutating func apply(_ changesets: [Changeset]) throws(ModelError) {
    for changeset in changesets { try apply(changeset) }
  }

  /// Applies the instructions in order.
  public mutating func apply(_ changeset: Changeset) throws(ModelError) {
    for instruction in changeset.instructions { try apply(instruction) }
  }
}

/// An instruction that cannot be applied: a bad changeset.
public struct ModelError: Error, Sendable, CustomStringConvertible {
  public var reason: String
  public var instruction: Instruction

  public var description: String { "\(reason): \(instruction)" }
}

extension ModelState: CustomStringConvertible {
  public var description: String {
    objects.sorted { $0.key < $1.key }.map { table, rows in
      rows.map { key, fields in "\(table)[\(key)] " + ModelValue.text(fields) }.sorted().joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
