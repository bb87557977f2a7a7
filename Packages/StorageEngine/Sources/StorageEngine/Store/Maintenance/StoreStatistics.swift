/// Sizes of a store.
public struct StoreStatistics: Hashable, Sendable {
  /// The file without its write-ahead log, in bytes.
  public var fileSizeInBytes = 0
  /// What of it is in use; the rest are free pages, which later commits use and compacting gives back.
  public var usedBytes = 0
  /// Nodes in the file, superseded ones included.
  public var nodeCount = 0
  /// Superseded nodes that wait for snapshots to end, or for the next run of their deletion.
  public var retiredNodeCount = 0
  /// Decoded nodes in memory, in bytes.
  public var cachedBytes = 0

  public init() {}
}
