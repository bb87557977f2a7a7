import StorageEngine

/// A row of any class.
package struct ClassRow: Hashable {
  package let table: TableID
  package let row: RowKey

  package init(table: TableID, row: RowKey) {
    self.table = table
    self.row = row
  }
}
