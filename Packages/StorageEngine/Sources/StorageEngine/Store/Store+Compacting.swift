import SQLiteDatabase

extension Store {
  /// Deletes what no snapshot needs and gives unused pages back to the file system. Waits for writers; snapshots may
  /// be open, in this process and in others, and are read meanwhile. Makes no version.
  ///
  /// - Complexity: O(size of the file).
  /// - Throws: ``StorageError`` with code `locked` when a writer does not end in time, or `diskFull`: for a while, the
  ///   file is there twice.
  public func compact() throws {
    try checkMayWrite()
    try waitForTurn()
    defer { turn.give() }
    // The first transaction announces what may be deleted, so that a reader that pinned before it is seen by the
    // second; see ``Reclaiming``.
    try maintain { door, _ in try door.connection.execute("UPDATE root SET freeable = version") }
    try maintain { door, latest in
      let version = latest.version
      let ofOthers = try pins.oldestOfOthers()
      let oldest = min(pins.oldestOwn ?? version, ofOthers ?? version, version)
      var recent = try RetiredNodes.decode(latest.recent)
      var reclaiming = Reclaiming(
        door: door, cache: loader.cache, pins: pins, announced: latest.freeable, oldest: oldest, ofOthers: ofOthers)
      reclaiming.limit = .max
      try reclaiming.run(&recent)
      try door.connection.execute("UPDATE root SET recent = x''")
    }
    guard !database.isInMemory else { return }
    try translating("compact the file") {
      try database.writer.with { door in
        // The copy that is made on the way can be as large as the file.
        try door.connection.execute("PRAGMA temp_store = FILE")
        defer { try? door.connection.execute("PRAGMA temp_store = MEMORY") }
        try door.connection.execute("VACUUM")
        try database.reading { try Checkpointer.empty(door.connection, $0.connection) }
      }
    }
  }

  /// Moves the write-ahead log to the file now, as far as readers let it. Waits for writers.
  ///
  /// - Throws: ``StorageError`` with code `locked` when a writer does not end in time.
  package func checkpoint() throws {
    try waitForTurn()
    defer { turn.give() }
    guard !database.isInMemory else { return }
    try translating("move the log") {
      try database.writer.with { door in
        try database.reading { _ = try Checkpointer.run(door.connection, $0.connection) }
      }
    }
  }

  /// Runs `body` in a transaction of SQLite that makes no version.
  private func maintain(_ body: (WritingDoor, _ latest: StoredRoot) throws -> Void) throws {
    try translating("compact the file") {
      try database.writer.with { door in
        do {
          try door.begin()
          guard let root = try door.reading.root(known: 0, isToBeReplaced: true) else { throw Self.rootMissing }
          try body(door, root)
          try door.commit()
        } catch {
          door.rollback()
          // What was looked at again is as it was.
          pins.revisit(from: 0)
          throw error
        }
      }
    }
  }

  /// Versions that are kept: from the oldest that a snapshot of any process needs to the latest.
  public func versionCount() throws -> Int {
    let latest = try latestRoot(known: current.withLock { $0.version }).version
    let oldest = min(try pins.oldestEverywhere() ?? latest, latest)
    return Int(latest - oldest) + 1
  }

  /// Whether another process has the store open.
  public func isOpenElsewhere() throws -> Bool { try pins.coordination?.hasOthers() ?? false }
}

extension Store {
  /// Whether any process, this one included, has the store in a file open.
  public static func isInUse(path: String) throws -> Bool { try CoordinationFile.isInUse(path: path + ".lock") }
}
