import DataModel

/// Sorts rows by their keys, equal ones in their former order.
enum Sorting {
  /// - Complexity: O(*n* log *n*) for *n* rows.
  static func sorted(
    _ rows: [QueryRow], by keys: [SortKeyReader], _ execution: Execution, _ className: String
  ) throws -> [QueryRow] {
    if keys.count == 1, keys[0].isExact, let property = keys[0].ownProperty,
      let table = try execution.reader(className)?.table
    {
      return try sorted(rows, by: keys[0], property, table)
    }
    var sortRows: [SortRow] = []
    sortRows.reserveCapacity(rows.count)
    for (position, row) in rows.enumerated() { sortRows.append(try SortRow(keys, row, position: position)) }
    sortRows.sort { $0.precedes($1, keys) }
    return sortRows.map(\.row)
  }

  /// Sorts by one property of the objects themselves whose cells decide: no value is made.
  private static func sorted(
    _ rows: [QueryRow], by key: SortKeyReader, _ property: Int, _ table: any QueryTable
  ) throws -> [QueryRow] {
    var entries: [(cell: SortCell, position: Int)] = []
    entries.reserveCapacity(rows.count)
    var current = -1
    var batch: Batch?
    var column = ColumnView.generic
    for (position, row) in rows.enumerated() {
      guard let location = try table.location(of: row) else { continue }
      if location.cluster != current {
        let loaded = Batch(try table.cluster(at: location.cluster))
        column = try loaded.cluster.column(property)
        batch = loaded
        current = location.cluster
      }
      guard let batch else { continue }
      entries.append((try key.cell(column, batch, location.slot), position))
    }
    entries.sort { left, right in
      let order = left.cell.compare(right.cell)
      return order == 0 ? left.position < right.position : (order < 0) == key.isAscending
    }
    return entries.map { rows[$0.position] }
  }
}
