/// One property of a class.
///
///     Property(name: "tags", type: .string, collection: .list)
///     Property(name: "owner", type: .object, objectClassName: "Person", isOptional: true)
public struct Property: Hashable, Sendable {
  /// The name in code.
  public var name: String
  /// The name in the file and on the wire; equal to ``name`` unless the property is mapped.
  public var columnName: String
  /// The type of each value.
  public var type: PropertyType
  /// Whether the property holds one value, or a list, set or dictionary of them.
  public var collection: CollectionKind
  /// Whether a value may be null. Single links are always optional; links in lists and sets never are.
  public var isOptional: Bool
  /// The class linked to, for ``PropertyType/object`` and ``PropertyType/linkingObjects``; nil otherwise.
  public var objectClassName: String?
  /// The property at the other end, for ``PropertyType/linkingObjects`` only.
  public var originPropertyName: String?
  /// Whether an ordered index is kept over the property. The primary key always has one.
  public var isIndexed: Bool

  /// A property; `columnName` is ``name`` unless it is given.
  public init(
    name: String, type: PropertyType, collection: CollectionKind = .single, objectClassName: String? = nil,
    originPropertyName: String? = nil, isOptional: Bool = false, isIndexed: Bool = false, columnName: String? = nil
  ) {
    self.name = name
    self.columnName = columnName ?? name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.objectClassName = objectClassName
    self.originPropertyName = originPropertyName
    self.isIndexed = isIndexed
  }

  /// Whether the property is a list.
  public var isArray: Bool { collection == .list }
  /// Whether the property is a set.
  public var isSet: Bool { collection == .set }
  /// Whether the property is a dictionary.
  public var isMap: Bool { collection == .dictionary }
}
