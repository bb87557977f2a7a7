import StorageEngine

/// One field of one row: what an instruction changes, and what a reader asks for.
///
/// Three words, two of them references to layouts that never change, so that it is passed by value at no cost.
package struct Cell {
  package let layout: ClassLayout
  package let row: RowKey
  package let field: FieldLayout

  package init(_ layout: ClassLayout, _ row: RowKey, _ field: FieldLayout) {
    self.layout = layout
    self.row = row
    self.field = field
  }

  /// The numbers that name the cell in storage.
  var address: CellAddress { CellAddress(table: layout.table, row: row, column: field.column) }
}

/// A cell by the numbers of its table, row and column.
struct CellAddress: Hashable, Comparable {
  let table: TableID
  let row: RowKey
  let column: ColumnID

  static func < (left: CellAddress, right: CellAddress) -> Bool {
    (left.table.rawValue, left.row.rawValue, left.column.rawValue)
      < (right.table.rawValue, right.row.rawValue, right.column.rawValue)
  }
}
