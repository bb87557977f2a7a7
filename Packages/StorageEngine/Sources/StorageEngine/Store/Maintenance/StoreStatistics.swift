/// Sizes of a store.
public struct StoreStatistics: Hashable, Sendable {
  /// The file without its write-ahead log, in bytes.
  public var fileSizeInBytes = 0
  /// Bytes of pages in use; the others are free pages, which later commits use and compacting returns.
  public var usedBytes = 0
  /// Nodes in the file, superseded ones included.
  public var nodeCount = 0
  /// Superseded nodes that are kept for snapshots or until the next run of the reclaimer.
  public var retiredNodeCount = 0
  /// Decoded nodes in memory, in bytes.
  public var cachedBytes = 0

  /// Zeros.
  public init() {}
}
