public import ChangesetOT
public import DataModel

/// One class of a ``ModelState``.
public struct ModelClass: Hashable, Sendable {
  /// Top-level, embedded or asymmetric.
  public var kind: ObjectKind
  /// The key column; nil for embedded classes.
  public var key: PrimaryKeyColumn?
  /// The fields by name.
  public var columns: [String: ModelColumn]

  /// A class; by itself a top-level one without fields.
  public init(kind: ObjectKind = .topLevel, key: PrimaryKeyColumn?, columns: [String: ModelColumn] = [:]) {
    self.kind = kind
    self.key = key
    self.columns = columns
  }
}

/// One field of a class, as `AddColumn` declares it.
public struct ModelColumn: Hashable, Sendable {
  /// The type of the values; nil for mixed.
  public var type: PayloadType?
  /// Whether null is a value.
  public var isNullable: Bool
  /// The kind of collection, or a single value.
  public var collection: CollectionKind
  /// The class linked to or embedded.
  public var linkTarget: String?

  /// A field; by itself of a single value that is not nullable.
  public init(
    _ type: PayloadType?, isNullable: Bool = false, collection: CollectionKind = .single, linkTarget: String? = nil
  ) {
    self.type = type
    self.isNullable = isNullable
    self.collection = collection
    self.linkTarget = linkTarget
  }

  /// The declaration of one element of the collection.
  public var element: ModelColumn {
    var element = self
    element.collection = .single
    return element
  }

  /// An element of a collection in a mixed value.
  public static let mixed = ModelColumn(nil, isNullable: true)
}
