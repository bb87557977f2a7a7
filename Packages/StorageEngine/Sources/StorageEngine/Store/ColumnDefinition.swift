/// What one cell of a column holds.
public enum ColumnType: UInt8, Sendable, Hashable, CaseIterable {
  case int = 1
  case bool = 2
  case float = 3
  case double = 4
  case string = 5
  case data = 6
  case timestamp = 7
  case decimal128 = 8
  case objectId = 9
  case uuid = 10
  /// A ``RowKey`` of the column's target table, or ``RowKey/none``.
  case link = 11
  /// Any one ``StoredValue``.
  case mixed = 12
  /// An ordered list of ``StoredValue``.
  case list = 13
  /// An ordered map from key bytes to ``StoredValue``; also the stuff of sets and dictionaries.
  case map = 14
}

/// One column as a snapshot or write transaction sees it.
public struct ColumnDefinition: Hashable, Sendable {
  public let id: ColumnID
  public var name: String
  public let type: ColumnType
  /// Whether cells may be null. A new cell of a nullable column is null, of any other zero or empty.
  public let isNullable: Bool
  /// The table linked to, for ``ColumnType/link`` and for collections of links; nil otherwise.
  public let target: TableID?
  /// A number of the layer above; the engine keeps it and never reads it.
  public let attributes: UInt64

  init(id: ColumnID, name: String, type: ColumnType, isNullable: Bool, target: TableID?, attributes: UInt64) {
    self.id = id
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.target = target
    self.attributes = attributes
  }
}

/// What the keys of an ordered index are.
public enum IndexKind: UInt8, Sendable, Hashable {
  /// Keys are `Int64`, ordered as numbers: integers, backlinks (the target's row key), booleans.
  case int = 1
  /// Keys are byte strings, ordered as `memcmp` orders them.
  case bytes = 2
}

/// One ordered index as a snapshot or write transaction sees it.
public struct IndexDefinition: Hashable, Sendable {
  public let id: IndexID
  /// Unique among the indexes of its table.
  public let name: String
  public let kind: IndexKind
}
