public import DataModel

/// One intention of an author: the unit that changesets are made of and that merging works on.
///
/// Instructions address everything by name: classes and fields by their names, objects by key, list elements by
/// index in the raw list (links without an object counted).
/// - SeeAlso: `Docs/ChangesetFormat.md`
public enum Instruction: Hashable, Sendable {
  case addTable(AddTable)
  case eraseTable(EraseTable)
  case createObject(CreateObject)
  case eraseObject(EraseObject)
  case update(Update)
  case addInteger(AddInteger)
  case addColumn(AddColumn)
  case eraseColumn(EraseColumn)
  case arrayInsert(ArrayInsert)
  case arrayMove(ArrayMove)
  case arrayErase(ArrayErase)
  case clear(Clear)
  case setInsert(SetInsert)
  case setErase(SetErase)
}

/// Declares a class.
public struct AddTable: Hashable, Sendable {
  public var table: String
  public var kind: ObjectKind
  /// Nil for embedded classes, which have no key of their own.
  public var primaryKey: PrimaryKeyColumn?

  public init(table: String, kind: ObjectKind = .topLevel, primaryKey: PrimaryKeyColumn?) {
    self.table = table
    self.kind = kind
    self.primaryKey = primaryKey
  }
}

/// The key column that comes with a class.
public struct PrimaryKeyColumn: Hashable, Sendable {
  /// Empty for a class without a primary key.
  public var field: String
  public var type: ObjectKeyType
  public var isNullable: Bool

  public init(field: String, type: ObjectKeyType, isNullable: Bool = false) {
    self.field = field
    self.type = type
    self.isNullable = isNullable
  }
}

/// The type of object keys of a class.
public enum ObjectKeyType: Int8, Hashable, Sendable, CaseIterable {
  case null = 0
  case int = 1
  case string = 3
  case objectId = 10
  case uuid = 11
  case global = -1
}

/// Removes a class with all its objects.
public struct EraseTable: Hashable, Sendable {
  public var table: String
  public init(table: String) { self.table = table }
}

/// Brings an object into being; does nothing when it exists.
public struct CreateObject: Hashable, Sendable {
  public var object: ObjectReference
  public init(object: ObjectReference) { self.object = object }
}

/// Removes an object; does nothing when it does not exist.
public struct EraseObject: Hashable, Sendable {
  public var object: ObjectReference
  public init(object: ObjectReference) { self.object = object }
}

/// Sets a field, a list element or a dictionary value.
public struct Update: Hashable, Sendable {
  public var target: Target
  public var payload: Payload
  /// Whether this writes the schema's default at creation. False for list elements.
  public var isDefault: Bool
  /// The size of the list just before, exactly when the target is a list element.
  public var priorSize: UInt32?

  public init(target: Target, payload: Payload, isDefault: Bool = false, priorSize: UInt32? = nil) {
    self.target = target
    self.payload = payload
    self.isDefault = isDefault
    self.priorSize = priorSize
  }
}

/// Adds to an integer field; wraps around.
public struct AddInteger: Hashable, Sendable {
  public var target: Target
  public var amount: Int64

  public init(target: Target, amount: Int64) {
    self.target = target
    self.amount = amount
  }
}

/// Declares a field of a class.
public struct AddColumn: Hashable, Sendable {
  public var table: String
  public var field: String
  /// Nil stands for mixed.
  public var type: PayloadType?
  public var isNullable: Bool
  public var collection: CollectionKind
  /// The class linked to, for links only; empty for links to any class.
  public var linkTarget: String?

  public init(
    table: String, field: String, type: PayloadType?, isNullable: Bool = false, collection: CollectionKind = .single,
    linkTarget: String? = nil
  ) {
    self.table = table
    self.field = field
    self.type = type
    self.isNullable = isNullable
    self.collection = collection
    self.linkTarget = linkTarget
  }
}

/// Removes a field of a class.
public struct EraseColumn: Hashable, Sendable {
  public var table: String
  public var field: String

  public init(table: String, field: String) {
    self.table = table
    self.field = field
  }
}

/// Inserts a list element before the one at the target's index.
public struct ArrayInsert: Hashable, Sendable {
  public var target: Target
  public var payload: Payload
  /// The size of the list just before.
  public var priorSize: UInt32

  public init(target: Target, payload: Payload, priorSize: UInt32) {
    self.target = target
    self.payload = payload
    self.priorSize = priorSize
  }
}

/// Moves the list element at the target's index; `destination` is its index after removal.
public struct ArrayMove: Hashable, Sendable {
  public var target: Target
  public var destination: UInt32
  /// The size of the list just before.
  public var priorSize: UInt32

  public init(target: Target, destination: UInt32, priorSize: UInt32) {
    self.target = target
    self.destination = destination
    self.priorSize = priorSize
  }
}

/// Removes the list element at the target's index.
public struct ArrayErase: Hashable, Sendable {
  public var target: Target
  /// The size of the list just before.
  public var priorSize: UInt32

  public init(target: Target, priorSize: UInt32) {
    self.target = target
    self.priorSize = priorSize
  }
}

/// Empties a collection; on a mixed value, makes it an empty collection of this kind.
public struct Clear: Hashable, Sendable {
  public var target: Target
  public var collection: CollectionKind

  public init(target: Target, collection: CollectionKind) {
    self.target = target
    self.collection = collection
  }
}

/// Adds a value to a set.
public struct SetInsert: Hashable, Sendable {
  public var target: Target
  public var payload: Payload

  public init(target: Target, payload: Payload) {
    self.target = target
    self.payload = payload
  }
}

/// Removes a value from a set.
public struct SetErase: Hashable, Sendable {
  public var target: Target
  public var payload: Payload

  public init(target: Target, payload: Payload) {
    self.target = target
    self.payload = payload
  }
}
