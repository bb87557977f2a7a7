import SQLiteDatabase

/// Sizes of a store.
public struct StoreStatistics: Hashable, Sendable {
  /// The file without its write-ahead log, in bytes.
  public var fileSizeInBytes = 0
  /// Nodes in the file, superseded ones included.
  public var nodeCount = 0
  /// Superseded nodes that wait for snapshots to end, or for the next run of their deletion.
  public var retiredNodeCount = 0
  /// Decoded nodes in memory, in bytes.
  public var cachedBytes = 0

  public init() {}
}

extension Store {
  /// Writes a compact copy of the latest version, with logs and records, to a new file.
  ///
  /// - Throws: ``StorageError`` when the file exists or cannot be written.
  public func writeCopy(toPath path: String) throws {
    try translating("write a copy to '\(path)'") {
      try database.writer.with { try $0.connection.prepare("VACUUM INTO ?").bind(1, path).run() }
    }
  }

  /// Deletes what no snapshot needs and gives unused pages back to the file system. Waits for writers; needs no
  /// snapshot to be closed.
  ///
  /// - Complexity: O(size of the file).
  public func compact() throws {
    // Two empty commits: the first announces, the second may delete.
    for _ in 0..<2 { try write { $0.isRootChanged = true } }
    let transaction = try beginWrite()
    let oldest = try pins.oldestEverywhere() ?? transaction.base.version
    do {
      try translating("compact") {
        try database.writer.with { door in
          let before = try door.previous()
          var recent = try RetiredNodes.decode(before.recent)
          let bound = min(before.freeable, oldest)
          try Reclaiming.run(door, &recent, through: bound, cache: loader.cache, limit: .max)
          try door.connection.execute("UPDATE root SET recent = x''")
          try door.commit()
        }
      }
    } catch {
      transaction.rollback()
      throw error
    }
    transaction.rollback()
    try translating("compact") {
      try database.writer.with { door in
        try door.connection.execute("VACUUM")
        _ = try door.connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }

  /// Sizes, for display and tests. O(nodes).
  public func statistics() throws -> StoreStatistics {
    try translating("measure the file") {
      try database.reading { door in
        var result = StoreStatistics()
        let pages = try door.connection.integer("PRAGMA page_count") ?? 0
        let size = try door.connection.integer("PRAGMA page_size") ?? 0
        result.fileSizeInBytes = Int(pages * size)
        result.nodeCount = Int(try door.connection.integer("SELECT count(*) FROM node") ?? 0)
        let retired = try door.statement("SELECT ids FROM retired")
        defer { retired.reset() }
        while try retired.step() { result.retiredNodeCount += try RetiredNodes.ids(retired.bytes(at: 0)).count }
        let recent = try door.statement("SELECT recent FROM root")
        defer { recent.reset() }
        if try recent.step() {
          result.retiredNodeCount += try RetiredNodes.decode(recent.bytes(at: 0)).reduce(0) { $0 + $1.ids.count }
        }
        result.cachedBytes = loader.cache.bytes
        return result
      }
    }
  }
}
