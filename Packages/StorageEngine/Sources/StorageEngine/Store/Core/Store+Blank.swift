// Stand-ins for content that cannot be read.
extension Store {
  /// A cluster in which every row lives, and every cell is null, zero and empty.
  public func blankCluster() -> Cluster {
    let cluster = Cluster.empty(index: 0, shapes: [], source: loader.source)
    cluster.alive.update(repeating: .max, count: 4)
    return cluster
  }

  /// An empty snapshot of version 0.
  public func blankSnapshot() -> Snapshot { Snapshot(root: .blank, loader: loader, registry: nil) }
}
