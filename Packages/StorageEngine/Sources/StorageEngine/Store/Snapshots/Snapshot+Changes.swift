extension Snapshot {
  /// The differences in the rows of a table between an older snapshot and this one. A row that was inserted and deleted
  /// in between does not appear; row keys are never reused, so no row is both.
  ///
  /// - Parameter older: a snapshot of the same store with a version at or below this one's. A table that it does not
  ///   have counts as empty.
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  /// - Complexity: O(clusters that differ) reads, and O(leaves of the cluster map).
  public func changes(since older: Snapshot, in table: TableID) throws -> TableChanges {
    var changes = TableChanges()
    let new = root.table(table)
    let old = older.root.table(table)
    guard new !== old, new?.node != old?.node else { return changes }
    let newPages = new?.clusterMap ?? .empty(table)
    let oldPages = old?.clusterMap ?? .empty(table)
    for page in newPages.pages(differingFrom: oldPages) {
      let newLeaf = try newPages.leaf(page, loader)
      let oldLeaf = try oldPages.leaf(page, loader)
      for entry in 0..<max(newLeaf?.nodes.count ?? 0, oldLeaf?.nodes.count ?? 0) {
        let newNode = newLeaf.flatMap { entry < $0.nodes.count ? $0.nodes[entry] : 0 } ?? 0
        let oldNode = oldLeaf.flatMap { entry < $0.nodes.count ? $0.nodes[entry] : 0 } ?? 0
        if newNode == oldNode { continue }
        let index = page << ClusterMapLeaf.bits | entry
        compare(
          index, try oldNode == 0 ? nil : oldPages.cluster(index, loader),
          try newNode == 0 ? nil : newPages.cluster(index, loader), new?.definition.columns ?? [], &changes)
      }
    }
    return changes
  }

  /// The tables that differ between an older snapshot and this one.
  ///
  /// - Complexity: O(tables).
  public func changedTables(since older: Snapshot) -> [TableID] {
    (0..<max(root.tables.count, older.root.tables.count)).map { TableID($0) }.filter {
      root.table($0)?.node != older.root.table($0)?.node
    }
  }

  private func compare(
    _ index: Int, _ old: Cluster?, _ new: Cluster?, _ columns: [ColumnDefinition], _ changes: inout TableChanges
  ) {
    for word in 0..<4 {
      let oldAlive = old?.alive[word] ?? 0
      let newAlive = new?.alive[word] ?? 0
      forEachBit(newAlive & ~oldAlive) { changes.insertions.append(RowKey(clusterIndex: index, slot: word << 6 | $0)) }
      forEachBit(oldAlive & ~newAlive) { changes.deletions.append(RowKey(clusterIndex: index, slot: word << 6 | $0)) }
    }
    guard let old, let new else { return }
    var modified: [Int: ColumnSet] = [:]
    for column in columns {
      ClusterComparison(old: old, new: new, column: column).forEachDifference { slot in
        modified[slot, default: ColumnSet()].insert(column.id)
      }
    }
    for slot in modified.keys.sorted() {
      changes.modifications.append(
        RowModification(row: RowKey(clusterIndex: index, slot: slot), columns: modified[slot] ?? ColumnSet()))
    }
  }
}
