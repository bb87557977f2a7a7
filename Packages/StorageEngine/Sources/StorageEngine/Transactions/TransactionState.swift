/// What a write transaction and its table writers share.
final class TransactionState {
  let store: NodeStore
  /// See ``WriteTransaction/clusterEpoch``. Behind a pointer, since every write of a cell looks at it.
  private let epochs: UnsafeMutablePointer<UInt64>
  var isOver = false

  var epoch: UInt64 {
    @inline(__always) get { epochs.pointee }
    set { epochs.pointee = newValue }
  }

  init(store: NodeStore) {
    self.store = store
    epochs = .allocate(capacity: 1)
    epochs.initialize(to: 0)
  }

  deinit { epochs.deallocate() }

  func checkOpen() { precondition(!isOver, "a write transaction is not used after commit or rollback") }
}

/// A cell by place.
struct CellKey: Hashable {
  var row: RowKey
  var column: ColumnID
}
