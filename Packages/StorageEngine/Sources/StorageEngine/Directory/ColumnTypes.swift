/// What the clusters of a table may hold: the type of each column, by its number.
///
/// A cluster is believed what it says of itself once, when it is first found; everything that reads or writes cells
/// relies on it.
struct ColumnTypes: Equatable, Sendable {
  let table: TableID
  /// Nil where a column was dropped, whose cells may still lie in clusters.
  private let types: [ColumnType?]
  /// Where the cells lie in a cluster that has all columns.
  let cells: CellPlaces

  init(_ table: TableID, _ columns: [ColumnDefinition], next: Int) {
    self.table = table
    var types = [ColumnType?](repeating: nil, count: next)
    for column in columns where types.indices.contains(column.id.rawValue) { types[column.id.rawValue] = column.type }
    self.types = types
    cells = CellPlaces(columns)
  }

  /// Whether the columns of a cluster are of these types.
  func fit(_ cluster: Cluster) -> Bool {
    (0..<cluster.columnCount).allSatisfy { number in
      guard let column = cluster.column(ColumnID(number)) else { return true }
      guard number < types.count else { return false }
      return types[number].map { $0 == column.type } ?? true
    }
  }
}
