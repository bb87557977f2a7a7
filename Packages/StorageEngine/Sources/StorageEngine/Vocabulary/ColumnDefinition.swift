/// One column as a snapshot or write transaction sees it.
public struct ColumnDefinition: Hashable, Sendable {
  /// Unique within the table, for ever.
  public let id: ColumnID
  /// Unique among the columns of the table.
  public var name: String
  /// The type of the cells.
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
