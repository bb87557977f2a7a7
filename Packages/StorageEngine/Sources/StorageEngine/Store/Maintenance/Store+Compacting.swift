import SQLiteDatabase

extension Store {
  /// Deletes the nodes that no snapshot needs and returns unused pages to the file system. Waits for writers; snapshots
  /// may be open, in this process and in others, and are read meanwhile. Makes no version.
  ///
  /// - Complexity: O(size of the file).
  /// - Throws: ``StorageError`` with code `locked` when a writer does not end in time, `diskFull` when there is no
  ///   room for a second copy of the file, `readOnly` when the store was opened read-only.
  public func compact(progress: (_ share: Double) -> Void = { _ in }) throws {
    try checkMayWrite()
    try lockForWriting()
    defer { writerLock.unlock() }
    // Of a store with a journal only the file is rewritten: what the record does not have may not be deleted.
    guard configuration.journal == nil else { return try rewrite(progress) }
    // The first transaction announces the versions that may lose nodes, so that the second one sees every reader that
    // registered before; see ``NodeReclaimer``.
    try maintain { connection, _ in try connection.sqlite.execute("UPDATE root SET freeable = version") }
    try maintain { connection, latest in
      let version = latest.version
      let elsewhere = try registry.oldestElsewhere()
      let oldest = min(registry.oldestHere ?? version, elsewhere ?? version, version)
      var recent = try RetiredNodes.decode(latest.recent)
      var reclaimer = NodeReclaimer(
        connection: connection, cache: loader.cache, registry: registry, announced: latest.freeable, oldest: oldest,
        elsewhere: elsewhere)
      reclaimer.limit = .max
      try reclaimer.run(&recent)
      try connection.sqlite.execute("UPDATE root SET recent = x''")
    }
    try rewrite(progress)
  }

  private func rewrite(_ progress: (_ share: Double) -> Void) throws {
    guard !database.isInMemory else { return }
    try translating("compact the file") {
      try database.writer.with { connection in
        // The temporary copy can be as large as the file.
        try connection.sqlite.execute("PRAGMA temp_store = FILE")
        defer { try? connection.sqlite.execute("PRAGMA temp_store = MEMORY") }
        try connection.sqlite.vacuum(progress: progress)
        try database.reading { try Checkpointer.empty(connection.sqlite, $0.sqlite) }
      }
    }
  }

  /// Moves the write-ahead log to the file now, as far as readers let it. Waits for writers.
  ///
  /// - Throws: ``StorageError`` with code `locked` when a writer does not end in time.
  package func checkpoint() throws {
    try lockForWriting()
    defer { writerLock.unlock() }
    guard !database.isInMemory else { return }
    try translating("move the log") {
      try database.writer.with { connection in
        try database.reading { _ = try Checkpointer.run(connection.sqlite, $0.sqlite) }
      }
    }
  }

  /// Calls `body` in a transaction of SQLite that makes no version.
  private func maintain(_ body: (WriterConnection, _ latest: RootRow) throws -> Void) throws {
    try translating("compact the file") {
      try database.writer.with { connection in
        do {
          try connection.begin()
          guard let root = try connection.reader.root(known: 0, isToBeReplaced: true) else { throw Self.rootMissing }
          try body(connection, root)
          try connection.commit()
        } catch {
          connection.rollback()
          // The rollback restored what the rescan deleted.
          registry.requestRescan(from: 0)
          throw error
        }
      }
    }
  }

  /// The number of versions from the oldest that a snapshot of any process needs to the latest.
  ///
  /// - Throws: ``StorageError`` when the root row or the lock file cannot be read.
  public func versionCount() throws -> Int {
    let latest = try latestRoot(known: current.withLock { $0.version }).version
    let oldest = min(try registry.oldestAnywhere() ?? latest, latest)
    return Int(latest - oldest) + 1
  }

  /// Whether another process has the store open.
  ///
  /// - Throws: ``StorageError`` when the locks cannot be inspected.
  public func isOpenElsewhere() throws -> Bool { try registry.lockFile?.hasOthers() ?? false }
}

extension Store {
  /// Whether a process, this one included, has the store in a file open.
  ///
  /// - Throws: ``StorageError`` when the locks cannot be inspected.
  public static func isInUse(path: String) throws -> Bool { try LockFile.isInUse(path: path + ".lock") }
}
