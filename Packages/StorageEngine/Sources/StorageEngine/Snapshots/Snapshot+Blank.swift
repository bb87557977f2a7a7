extension Store {
  /// What can be shown where no version can be read: version 0, in which there is nothing.
  public func blankSnapshot() -> Snapshot {
    let root = RootState(
      version: 0, nextNode: 1, nextTable: 0, nextIndex: 0, tables: [], records: .none, logs: .empty, pending: [],
      schemaOf: nil)
    return Snapshot(root: root, loader: loader, pins: nil)
  }
}
