/// The state that a write transaction and its table writers share.
final class TransactionState {
  let store: NodeStore
  /// See ``WriteTransaction/clusterEpoch``.
  // Unchecked: every write of a cell reads it, always on the one thread of the transaction. Serves store.property-write.
  @exclusivity(unchecked) var epoch: UInt64 = 0
  var isOver = false

  init(store: NodeStore) { self.store = store }

  func checkOpen() { precondition(!isOver, "a write transaction is not used after commit or rollback") }
}

/// A cell by row and column.
struct CellKey: Hashable {
  var row: RowKey
  var column: ColumnID
}
