public import DataModel

/// Declares a class.
public struct AddTable: Hashable, Sendable {
  /// The class.
  public var table: String
  /// Top-level, embedded or asymmetric.
  public var kind: ObjectKind
  /// The key column; nil for embedded classes, which have no key of their own.
  public var primaryKey: PrimaryKeyColumn?

  /// A declaration; by itself of a top-level class.
  public init(table: String, kind: ObjectKind = .topLevel, primaryKey: PrimaryKeyColumn?) {
    self.table = table
    self.kind = kind
    self.primaryKey = primaryKey
  }
}

/// The key column of a class.
public struct PrimaryKeyColumn: Hashable, Sendable {
  /// The name; empty for a class without a primary key.
  public var field: String
  /// The type of the keys.
  public var type: ObjectKeyType
  /// Whether null is a key.
  public var isNullable: Bool

  /// A key column.
  public init(field: String, type: ObjectKeyType, isNullable: Bool = false) {
    self.field = field
    self.type = type
    self.isNullable = isNullable
  }
}

/// The type of the object keys of a class; the raw values are those of the bytes.
public enum ObjectKeyType: Int8, Hashable, Sendable, CaseIterable {
  /// The key of null.
  case null = 0
  /// A 64-bit integer.
  case int = 1
  /// A text.
  case string = 3
  /// An ObjectId of 12 bytes.
  case objectId = 10
  /// A UUID of 16 bytes.
  case uuid = 11
  /// A global key: objects of classes without a primary key.
  case global = -1
}

/// Removes a class with all its objects.
public struct EraseTable: Hashable, Sendable {
  /// The class.
  public var table: String
  /// An erasure of a class.
  public init(table: String) { self.table = table }
}

/// Declares a field of a class.
public struct AddColumn: Hashable, Sendable {
  /// The class.
  public var table: String
  /// The field.
  public var field: String
  /// The type of the values; nil for mixed.
  public var type: PayloadType?
  /// Whether null is a value.
  public var isNullable: Bool
  /// The kind of collection, or a single value.
  public var collection: CollectionKind
  /// The class linked to, for links only; empty for links to any class.
  public var linkTarget: String?

  /// A declaration; by itself of a single value that is not nullable.
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
  /// The class.
  public var table: String
  /// The field.
  public var field: String

  /// An erasure of a field.
  public init(table: String, field: String) {
    self.table = table
    self.field = field
  }
}
