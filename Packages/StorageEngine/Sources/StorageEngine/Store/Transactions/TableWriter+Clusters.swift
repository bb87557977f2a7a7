// The clusters that the transaction owns, and how they are written out early.
extension TableWriter {
  /// Full clusters that are written out together.
  static let finishedLimit = 64
  /// Owned clusters above which all are written out.
  static let ownedLimit = 20_000
  /// Bytes of owned clusters above which those that can be are written out: clusters of wide tables take megabytes
  /// each.
  static let ownedByteLimit = 128 << 20

  /// The cluster as it is now, for reading; nil where no row lives.
  func cluster(_ index: Int) throws -> Cluster? {
    if hot.index == index { return hot.cluster?.takeUnretainedValue() }
    guard let change = changed[index] else { return try base?.clusterMap.cluster(index, loader) }
    if let cluster = change.cluster { return cluster }
    return try change.written.map { try loader.node($0, Cluster.self) }
  }

  // Both are inlined everywhere, since they run once per value: they serve store.property-write and store.insert-1m.

  /// The cluster of a live row, owned by the transaction: a copy of the committed one from the first write on.
  @inline(__always) func own(_ row: RowKey) throws -> Cluster { try lend(row).takeUnretainedValue() }

  /// The owned cluster of a live row, unretained: valid until the next write.
  @inline(__always) func lend(_ row: RowKey) throws -> Unmanaged<Cluster> {
    let index = row.clusterIndex
    if hot.index == index, let cluster = hot.cluster { return cluster }
    if let owned = hot.owned, index >= 0 {
      let entry = owned[index & (Self.ownedWidth - 1)]
      if entry.index == index, let cluster = entry.cluster {
        hot.cluster = cluster
        hot.index = index
        return cluster
      }
    }
    return Unmanaged.passUnretained(try ownSlowly(index))
  }

  @inline(never) private func ownSlowly(_ index: Int) throws -> Cluster {
    transaction.checkOpen()
    let cluster: Cluster
    if let owned = changed[index]?.cluster {
      cluster = areShapesChanged ? reshaped(owned) : owned
    } else {
      if ownedCount >= Self.ownedLimit || ownedBytes >= Self.ownedByteLimit { try writeOutAll() }
      guard let current = try self.cluster(index) else { throw noRow }
      cluster = current.copy(shapes: shapes.present)
      adopt(cluster)
    }
    remember(cluster)
    return cluster
  }

  /// An owned cluster with the columns that the table has now.
  private func reshaped(_ owned: Cluster) -> Cluster {
    guard !owned.fits(shapes.present) else { return owned }
    let cluster = owned.copy(shapes: shapes.present)
    changed[owned.index] = ChangedClusters.Change(cluster: cluster)
    ownedBytes += cluster.storageSize - owned.storageSize
    transaction.epoch += 1
    return cluster
  }

  /// The error for a write to a row that does not live: the caller found the row in the file.
  var noRow: StorageError {
    .damage("A row of '\(definition.name)' that is referred to does not exist.")
  }

  private func adopt(_ cluster: Cluster) {
    changed[cluster.index] = ChangedClusters.Change(cluster: cluster)
    ownedCount += 1
    ownedBytes += cluster.storageSize
    transaction.epoch += 1
  }

  private func remember(_ cluster: Cluster) {
    hot.cluster = Unmanaged.passUnretained(cluster)
    hot.index = cluster.index
    if hot.owned == nil {
      guard ownedCount > 8 else { return }
      let owned = UnsafeMutablePointer<(index: Int, cluster: Unmanaged<Cluster>?)>.allocate(capacity: Self.ownedWidth)
      owned.initialize(repeating: (-1, nil), count: Self.ownedWidth)
      hot.owned = owned
    }
    hot.owned?[cluster.index & (Self.ownedWidth - 1)] = (cluster.index, Unmanaged.passUnretained(cluster))
  }

  /// Forgets the owned clusters, which may be written out or replaced.
  func forgetHotCluster() {
    hot.cluster = nil
    hot.index = -1
    hot.owned?.deallocate()
    hot.owned = nil
  }

  /// The cluster for the next row; created when that row is its first.
  func clusterForInsertion(_ index: Int) throws -> Cluster {
    if hot.index == index, let cluster = hot.cluster { return cluster.takeUnretainedValue() }
    if try cluster(index) != nil { return try ownSlowly(index) }
    transaction.checkOpen()
    if changed[index - 1]?.cluster != nil { finished.append(index - 1) }
    if finished.count >= Self.finishedLimit || ownedBytes >= Self.ownedByteLimit { try writeOutFinished() }
    let cluster = Cluster.empty(index: index, shapes: shapes.present, source: loader.source)
    adopt(cluster)
    remember(cluster)
    return cluster
  }

  /// The cluster for a restored row; created again when its last row was deleted.
  func clusterForRestoring(_ index: Int) throws -> Cluster {
    if try cluster(index) != nil { return try own(RowKey(clusterIndex: index, slot: 0)) }
    transaction.checkOpen()
    let cluster = Cluster.empty(index: index, shapes: shapes.present, source: loader.source)
    adopt(cluster)
    remember(cluster)
    return cluster
  }

  private func writeOutFinished() throws {
    try finishCollections()
    for index in finished where index != hot.index { try writeOut(index) }
    finished.removeAll(keepingCapacity: true)
  }

  private func writeOutAll() throws {
    try finishCollections()
    forgetHotCluster()
    for index in changed.indexes { try writeOut(index) }
    finished.removeAll(keepingCapacity: true)
  }

  private func writeOut(_ index: Int) throws {
    guard let cluster = changed[index]?.cluster else { return }
    if let owned = hot.owned, owned[index & (Self.ownedWidth - 1)].index == index {
      owned[index & (Self.ownedWidth - 1)] = (-1, nil)
    }
    ownedCount -= 1
    ownedBytes -= cluster.storageSize
    changed[index] = ChangedClusters.Change(written: try write(cluster))
  }

  /// Writes an owned cluster, as a patch when little changed; returns nil when it has no rows.
  func write(_ cluster: Cluster) throws -> NodeSlot? {
    let isPatch = cluster.isPatchable
    if !isPatch || cluster.replacedNodes.whole != cluster.fullNode { try store.retire(cluster.replacedNodes.whole) }
    try store.retire(cluster.replacedNodes.patch)
    cluster.replacedNodes = ClusterNodes()
    guard cluster.rowCount > 0 else { return nil }
    cluster.computeStatistics()
    cluster.trimHeaps()
    let slot = try store.write(isPatch ? cluster.encodedPatch() : cluster.encoded()) { id in
      cluster.node = id
      if !isPatch {
        cluster.fullNode = id
        cluster.patched.update(repeating: 0, count: 4)
        cluster.patchedColumns = 0
      }
      return cluster
    }
    return slot
  }

  /// Marks owned clusters as lacking columns that the table has now. Each gets them when it is written next, so that
  /// many new columns cost no more copies than one.
  func forgetShapes() {
    areShapesChanged = true
    forgetHotCluster()
    transaction.epoch += 1
  }
}
