/// The type of each column of a table, by its number: a cluster is checked against them once, when it is first read,
/// and every later access to its cells relies on that.
struct ColumnTypes: Equatable, Sendable {
  let table: TableID
  /// Nil where a column was dropped, whose cells may still lie in clusters.
  private let types: [ColumnType?]
  /// The offsets of cells in a cluster that has all columns.
  let cells: CellOffsets

  init(_ table: TableID, _ columns: [ColumnDefinition], next: Int) {
    self.table = table
    var types = [ColumnType?](repeating: nil, count: next)
    for column in columns where types.indices.contains(column.id.rawValue) { types[column.id.rawValue] = column.type }
    self.types = types
    cells = CellOffsets(columns)
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
