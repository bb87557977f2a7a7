import SQLiteDatabase

extension Store {
  /// Sizes, for display and tests.
  ///
  /// - Throws: ``StorageError`` when the file cannot be read.
  /// - Complexity: O(nodes).
  public func statistics() throws -> StoreStatistics {
    let pending = try latestSnapshot().root.pending.count
    return try translating("measure the file") {
      try database.reading { connection in
        var result = StoreStatistics()
        let pages = try connection.sqlite.integer("PRAGMA page_count") ?? 0
        let size = try connection.sqlite.integer("PRAGMA page_size") ?? 0
        let free = try connection.sqlite.integer("PRAGMA freelist_count") ?? 0
        result.fileSizeInBytes = Int(pages * size)
        result.usedBytes = Int((pages - free) * size)
        result.nodeCount = Int(try connection.sqlite.integer("SELECT count(*) FROM node") ?? 0) + pending
        result.retiredNodeCount = try Verification.waiting(connection).reduce(0) { $0 + $1.count }
        result.cachedBytes = loader.cache.bytes
        return result
      }
    }
  }
}
