extension TableWriter {
  /// A new row under the next key; its cells are null, or zero and empty.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when its cluster is damaged.
  /// - Complexity: O(columns).
  public func insertRow() throws -> RowKey {
    let row = RowKey(hot.nextRow)
    let cluster = try clusterForInsertion(row.clusterIndex)
    cluster.insertRow(row.slot, shapes: shapes.present)
    hot.nextRow += 1
    hot.rowCount += 1
    return row
  }

  /// Restores a row that this transaction deleted, under the same key; its cells are those of a new row.
  ///
  /// - Precondition: the row was given out before.
  /// - Throws: ``StorageError`` with code `corrupt` when the row lives.
  public func restoreRow(_ row: RowKey) throws {
    precondition(row.rawValue >= 0 && row.rawValue < hot.nextRow, "a row that is brought back was there")
    let cluster = try clusterForRestoring(row.clusterIndex)
    guard !cluster.isAlive(row.slot) else {
      throw StorageError.damage("A row of '\(definition.name)' lives that was deleted.")
    }
    cluster.insertRow(row.slot, shapes: shapes.present)
    hot.rowCount += 1
  }

  /// Removes a row with its cells. Index entries and links to the row are the caller's to remove.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the row does not live: the caller found it in the file.
  public func deleteRow(_ row: RowKey) throws {
    let cluster = try own(row)
    guard cluster.isAlive(row.slot) else { throw noRow }
    for shape in shapes.present where shape.type.isVariable { try releaseCell(shape, row, cluster) }
    cluster.clearRow(row.slot)
    hot.rowCount -= 1
  }

  /// Removes all rows; keys are not reused.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a cluster or page is damaged.
  /// - Complexity: O(rows) with variable-length columns, O(clusters) without.
  public func deleteAllRows() throws {
    transaction.checkOpen()
    try finishCollections()
    forgetHotCluster()
    for index in 0..<clusterCount {
      guard let cluster = try cluster(index) else { continue }
      try cluster.forEachLiveSlot { slot in
        for shape in shapes.present where shape.type.isVariable { try releaseStored(shape, slot, cluster) }
      }
      let nodes = cluster.node == 0 ? cluster.replacedNodes : cluster.nodes
      try store.retire(nodes.whole)
      try store.retire(nodes.patch)
      changed[index] = ChangedClusters.Change()
    }
    ownedCount = 0
    ownedBytes = 0
    finished.removeAll()
    hot.rowCount = 0
    transaction.epoch += 1
  }

  /// Retires the nodes that a variable-length cell refers to.
  func releaseCell(_ shape: ColumnShape, _ row: RowKey, _ cluster: Cluster) throws {
    let key = CellKey(row: row, column: ColumnID(shape.id))
    if let editor = lists.removeValue(forKey: key) {
      try editor.removeAll()
      _ = try editor.finish()
    } else if let editor = maps.removeValue(forKey: key) {
      try editor.removeAll()
      _ = try editor.finish()
    } else {
      try releaseStored(shape, row.slot, cluster)
    }
  }

  func releaseStored(_ shape: ColumnShape, _ slot: Int, _ cluster: Cluster) throws {
    let column = ColumnID(shape.id)
    switch shape.type {
    case .list:
      if case .tree(let root) = try ListCell(cluster, column, slot) {
        try StoredList.forEachNode(root, loader) { try store.retire($0) }
      }
    case .map:
      if case .tree(let root) = try MapCell(cluster, column, slot) {
        try TreeReader<BytesBlock>(root, loader: loader).forEachNode { try store.retire($0) }
      }
    default:
      if let node = cluster.externalNode(shape.id, slot: slot) { try store.retire(node) }
    }
  }
}
