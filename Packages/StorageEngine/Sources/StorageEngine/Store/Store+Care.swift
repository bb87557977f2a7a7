import SQLiteDatabase

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

extension Store {
  /// Sizes, for display and tests. O(nodes).
  public func statistics() throws -> StoreStatistics {
    let pending = try latestSnapshot().root.pending.count
    return try translating("measure the file") {
      try database.reading { door in
        var result = StoreStatistics()
        let pages = try door.connection.integer("PRAGMA page_count") ?? 0
        let size = try door.connection.integer("PRAGMA page_size") ?? 0
        let free = try door.connection.integer("PRAGMA freelist_count") ?? 0
        result.fileSizeInBytes = Int(pages * size)
        result.usedBytes = Int((pages - free) * size)
        result.nodeCount = Int(try door.connection.integer("SELECT count(*) FROM node") ?? 0) + pending
        result.retiredNodeCount = try Verification.waiting(door).reduce(0) { $0 + $1.count }
        result.cachedBytes = loader.cache.bytes
        return result
      }
    }
  }
}
