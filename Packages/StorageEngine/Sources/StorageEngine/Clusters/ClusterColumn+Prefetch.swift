import CStorageSupport

extension ClusterColumn {
  /// Asks the processor to bring what a scan reads first nearer: the cells, or of strings their first bytes. A scan
  /// calls it for the cluster after the one that it works on, whose memory would otherwise arrive too late.
  public func prefetch() {
    switch type {
    case .string: storage_prefetch(values + 2048, 1024)
    case .int, .double, .link, .float, .timestamp: storage_prefetch(values, 2048)
    default: break
    }
  }
}
