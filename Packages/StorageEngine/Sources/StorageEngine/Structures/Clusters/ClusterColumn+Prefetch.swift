import CStorageSupport

extension ClusterColumn {
  /// Prefetches the memory that a scan reads first: the cells, or of strings their first bytes. A scan calls it for the
  /// cluster after the current one. Serves query.sum-int.
  public func prefetch() {
    switch type {
    case .string: storage_prefetch(values + 2048, 1024)
    case .int, .double, .link, .float, .timestamp: storage_prefetch(values, 2048)
    default: break
    }
  }
}
