public import ChangesetOT
public import DataModel

/// One class of a ``ModelState``.
public struct ModelClass: Hashable, Sendable {
  public var kind: ObjectKind
  public var key: PrimaryKeyColumn?
  public var columns: [String: ModelColumn]

  public init(kind: ObjectKind = .topLevel, key: PrimaryKeyColumn?, columns: [String: ModelColumn] = [:]) {
    self.kind = kind
    self.key = key
    self.columns = columns
  }
}

/// One field of a class: what ``AddColumn`` says about it.
public struct ModelColumn: Hashable, Sendable {
  /// Nil for mixed.
  public var type: PayloadType?
  public var isNullable: Bool
  public var collection: CollectionKind
  public var linkTarget: String?

  public init(
    _ type: PayloadType?, isNullable: Bool = false, collection: CollectionKind = .single, linkTarget: String? = nil
  ) {
    self.type = type
    self.isNullable = isNullable
    self.collection = collection
    self.linkTarget = linkTarget
  }

  /// What one element of the collection is.
  public var element: ModelColumn {
    var element = self
    element.collection = .single
    return element
  }

  /// A place inside a mixed collection.
  public static let mixed = ModelColumn(nil, isNullable: true)
}
