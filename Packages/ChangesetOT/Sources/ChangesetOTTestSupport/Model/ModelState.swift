public import ChangesetOT
public import DataModel

/// A realm as a plain value: the simplest implementation of applying changesets.
///
///     var state = ModelState()
///     try state.apply(changeset)
///     state == other                   // same classes, same objects, same values
///
/// Every instruction either has the effect that the format describes or throws ``ModelError`` as it describes.
public struct ModelState: Hashable, Sendable {
  /// The classes by name.
  public var classes: [String: ModelClass] = [:]
  /// The fields of every object, by class and key.
  public var objects: [String: [ObjectKey: [String: ModelValue]]] = [:]

  /// An empty realm.
  public init() {}

  /// Whether an object exists.
  public func contains(_ reference: ObjectReference) -> Bool {
    objects[reference.className]?[reference.key] != nil
  }

  /// The fields of a new object of a class.
  public func initialFields(of table: String) -> [String: ModelValue] {
    types.initialFields(of: table)
  }

  /// Applies the changesets in order.
  ///
  /// - Throws: ``ModelError`` for the first instruction that does not fit; those before it stay applied.
  public mutating func apply(_ changesets: [Changeset]) throws(ModelError) {
    for changeset in changesets { try apply(changeset) }
  }

  /// Applies the instructions in order.
  ///
  /// - Throws: ``ModelError`` for the first instruction that does not fit; those before it stay applied.
  public mutating func apply(_ changeset: Changeset) throws(ModelError) {
    for instruction in changeset.instructions { try apply(instruction) }
  }
}

/// An instruction that does not fit a state: a bad changeset.
public struct ModelError: Error, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  public var reason: String
  /// The instruction.
  public var instruction: Instruction

  /// The rule and the instruction.
  public var description: String { "\(reason): \(instruction)" }
}

extension ModelState: CustomStringConvertible {
  /// One line per object, sorted.
  public var description: String {
    objects.sorted { $0.key < $1.key }.map { table, rows in
      rows.map { key, fields in "\(table)[\(key)] " + ModelValue.text(fields) }.sorted().joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
