public import DataModel

/// Sets a field, a list element or a dictionary value.
public struct Update: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The new value.
  public var payload: Payload
  /// Whether the value is the default of the schema, written at creation. False for list elements.
  public var isDefault: Bool
  /// The size of the list just before; present exactly when the target is a list element.
  public var priorSize: UInt32?

  /// A write; by itself of a value that is neither a default nor a list element.
  public init(target: Target, payload: Payload, isDefault: Bool = false, priorSize: UInt32? = nil) {
    self.target = target
    self.payload = payload
    self.isDefault = isDefault
    self.priorSize = priorSize
  }
}

/// Adds to an integer field; wraps around.
public struct AddInteger: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The amount, negative to subtract.
  public var amount: Int64

  /// An addition.
  public init(target: Target, amount: Int64) {
    self.target = target
    self.amount = amount
  }
}

/// Empties a collection; makes a mixed value an empty collection of this kind.
public struct Clear: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The kind of the collection.
  public var collection: CollectionKind

  /// A clear.
  public init(target: Target, collection: CollectionKind) {
    self.target = target
    self.collection = collection
  }
}
