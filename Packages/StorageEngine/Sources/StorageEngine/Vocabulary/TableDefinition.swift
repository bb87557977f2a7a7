/// One table as a snapshot or write transaction sees it.
public struct TableDefinition: Hashable, Sendable {
  /// Unique within the store, for ever.
  public let id: TableID
  /// Unique among the tables of the store.
  public let name: String
  /// Ascending by ``ColumnID``.
  public internal(set) var columns: [ColumnDefinition]
  /// Ascending by ``IndexID``.
  public internal(set) var indexes: [IndexDefinition]

  /// The column of that name; nil when there is none.
  ///
  /// - Complexity: O(columns), so look it up once.
  public func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }
  /// The index of that name; nil when there is none.
  ///
  /// - Complexity: O(indexes).
  public func index(named name: String) -> IndexDefinition? { indexes.first { $0.name == name } }
}
