import StorageEngine

/// A row of any class.
struct ClassRow: Hashable {
  let table: TableID
  let row: RowKey
}
