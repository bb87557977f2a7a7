/// What a write transaction and its table writers share.
final class TransactionState {
  let store: NodeStore
  /// See ``WriteTransaction/clusterEpoch``.
  // Unchecked, since every write of a cell looks at it: one thread reads or writes it at once.
  @exclusivity(unchecked) var epoch: UInt64 = 0
  @exclusivity(unchecked) var isOver = false

  init(store: NodeStore) { self.store = store }

  func checkOpen() { precondition(!isOver, "a write transaction is not used after commit or rollback") }
}

/// A cell by place.
struct CellKey: Hashable {
  var row: RowKey
  var column: ColumnID
}
