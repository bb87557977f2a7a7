/// The cluster map of a table at one version: finds the cluster with a number. Holds the numbers of all leaves, and the
/// leaves that were read. May be used from any thread.
///
/// The map of a new version takes over the leaves that did not change, so it costs what changed. Few changes stay in
/// the ``delta``, so that they write no leaves.
final class ClusterMap: Sendable {
  /// The table node itself lists up to this many leaves (a million rows).
  static let directLimit = 64

  /// The number of each leaf; 0 where no row lives, or none outside of the ``delta``.
  let leaves: [Int64]
  let delta: ClusterMapDelta
  /// The numbers of the branch pages; empty when the table node lists the leaves.
  let branches: [Int64]
  /// The types that the clusters must have.
  let columns: ColumnTypes
  private let loaded: VersionedReferenceArray<ClusterMapLeaf>

  /// The map of a table without rows.
  static func empty(_ table: TableID) -> ClusterMap {
    ClusterMap(leaves: [], branches: [], columns: ColumnTypes(table, [], next: 0))
  }

  /// - Parameter earlier: an earlier version, whose unchanged leaves are taken over.
  init(
    leaves: [Int64], branches: [Int64], delta: ClusterMapDelta = .none, columns: ColumnTypes,
    following earlier: ClusterMap? = nil
  ) {
    self.leaves = leaves
    self.branches = branches
    self.delta = delta
    self.columns = columns
    guard let earlier else {
      loaded = VersionedReferenceArray(count: leaves.count)
      return
    }
    let changed = delta.pages(differingFrom: earlier.delta)
    loaded = VersionedReferenceArray(count: leaves.count, following: earlier.loaded) {
      leaves[$0] == earlier.leaves[$0] && !changed.contains($0)
    }
  }

  /// The next version of a cluster map.
  ///
  /// - Parameter made: the pages that changed, ascending.
  init(
    following earlier: ClusterMap, leaves: [Int64], branches: [Int64], delta: ClusterMapDelta, columns: ColumnTypes,
    made: [(page: Int, leaf: ClusterMapLeaf)]
  ) {
    self.leaves = leaves
    self.branches = branches
    self.delta = delta
    self.columns = columns
    var rest = made[...]
    loaded = VersionedReferenceArray(count: leaves.count, following: earlier.loaded) { page in
      guard rest.first?.page == page else { return true }
      rest = rest.dropFirst()
      return false
    }
    for (page, leaf) in made { _ = keep(leaf, at: page) }
  }

  /// The pages whose clusters may differ from those of another cluster map, ascending.
  func pages(differingFrom other: ClusterMap) -> [Int] {
    let changed = delta.pages(differingFrom: other.delta)
    return (0..<max(leaves.count, other.leaves.count)).filter { page in
      (page < leaves.count ? leaves[page] : 0) != (page < other.leaves.count ? other.leaves[page] : 0)
        || changed.contains(page)
    }
  }

  /// Retains a leaf unless the page has one; returns the one that stays.
  func keep(_ leaf: ClusterMapLeaf, at index: Int) -> ClusterMapLeaf { loaded.set(index, leaf) }

  /// The leaf at `index`; nil where no row lives.
  func leaf(_ index: Int, _ loader: NodeLoader) throws -> ClusterMapLeaf? {
    guard index < leaves.count else { return nil }
    if let leaf = loaded[index] { return leaf.takeUnretainedValue() }
    return try load(index, loader)
  }

  @inline(never) private func load(_ index: Int, _ loader: NodeLoader) throws -> ClusterMapLeaf? {
    let changes = delta.entries(of: index)
    guard leaves[index] != 0 else {
      return changes.isEmpty ? nil : keep(ClusterMapLeaf(nodes: []).replacing(changes), at: index)
    }
    let leaf = try loader.node(leaves[index], ClusterMapLeaf.self)
    guard leaf.belongs(to: columns.table) else {
      throw StorageError.damage("Node \(leaves[index]) is used by two tables.")
    }
    return keep(changes.isEmpty ? leaf : leaf.replacing(changes), at: index)
  }

  /// The cluster with a number; nil where no row lives.
  func cluster(_ index: Int, _ loader: NodeLoader) throws -> Cluster? {
    let page = index >> ClusterMapLeaf.bits
    if index >= 0, page < loaded.count, let leaf = loaded[page] {
      // The map retains the leaf while the caller retains the map. Serves store.read-all.
      let node = leaf._withUnsafeGuaranteedRef { leaf in
        let entry = index & ClusterMapLeaf.mask
        return entry < leaf.slots.count ? leaf.slots[entry]?._withUnsafeGuaranteedRef { $0.peek() } : nil
      }
      if let cluster = node as? Cluster, cluster.index == index { return cluster }
    }
    return try clusterSlowly(index, loader)
  }

  /// Prefetches the memory of a row that was read before, for a caller that reads the row a little later.
  func prefetch(_ row: RowKey) {
    let index = row.clusterIndex
    let page = index >> ClusterMapLeaf.bits
    guard index >= 0, page < loaded.count, let leaf = loaded[page] else { return }
    leaf._withUnsafeGuaranteedRef { $0.prefetch(index & ClusterMapLeaf.mask, columns.cells, row: row.slot) }
  }

  @inline(never) private func clusterSlowly(_ index: Int, _ loader: NodeLoader) throws -> Cluster? {
    guard index >= 0, let leaf = try leaf(index >> ClusterMapLeaf.bits, loader) else { return nil }
    let entry = index & ClusterMapLeaf.mask
    guard let slot = leaf.slot(entry, loader) else { return nil }
    let cluster = try loader.node(slot, Cluster.self)
    guard cluster.index == index else {
      throw StorageError(
        .corrupt, "Node \(slot.id) holds cluster \(cluster.index) in place of \(index). Restore the file from a backup."
      )
    }
    guard columns.fit(cluster) else {
      throw StorageError.damage("Node \(slot.id) holds columns that its table has not.")
    }
    // A retained slot is read without checking the cluster again.
    leaf.keep(slot, at: entry, cluster)
    return cluster
  }
}
