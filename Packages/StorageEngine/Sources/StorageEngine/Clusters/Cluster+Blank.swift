extension Store {
  /// What can be shown where a cluster cannot be read: every row lives, and every cell is null, zero and empty.
  public func blankCluster() -> Cluster {
    let cluster = Cluster.empty(index: 0, shapes: [], source: loader.source)
    cluster.alive.update(repeating: .max, count: 4)
    return cluster
  }
}
