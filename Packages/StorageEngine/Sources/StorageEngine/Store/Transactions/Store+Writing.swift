extension Store {
  /// Calls `body` with a write transaction; commits when it returns and rolls back when it throws.
  ///
  /// - Throws: the error of `body`, and the errors of ``beginWrite()`` and ``WriteTransaction/commit()``.
  @discardableResult
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    let transaction = try beginWrite()
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }

  /// Starts a write transaction on the latest version, waiting for other writers up to the busy timeout. A thread that
  /// asks for a second transaction while it holds one waits for itself.
  ///
  /// - Throws: ``StorageError`` with code `locked` when another writer does not end in time, `readOnly` when the store was
  ///   opened read-only, `corrupt` when the root page is damaged.
  public func beginWrite() throws -> WriteTransaction {
    try checkMayWrite()
    let transaction = try startWrite()
    guard transaction.base.logs == nil else { return transaction }
    do { try FormatMigration(transaction: transaction).run() } catch {
      transaction.rollback()
      throw error
    }
    return transaction
  }

  private func startWrite() throws -> WriteTransaction {
    try lockForWriting()
    var isBegun = false
    do {
      let known = current.withLock { $0 }
      let latest = try translating("start a write transaction") {
        try database.writer.with { connection in
          try connection.begin()
          isBegun = true
          return try connection.root(known: known.version)
        }
      }
      guard let latest else { throw Self.rootMissing }
      let base = try adopt(latest.version, latest.content, known)
      let first = max(base.nextNode, nodeFloor.load(ordering: .relaxed))
      loader.source.firstUncommitted.store(first, ordering: .releasing)
      return WriteTransaction(
        owner: self, base: base, replacing: latest,
        store: NodeStore(loader: loader, pending: base.pending, first: first))
    } catch {
      if isBegun { try? database.writer.with { $0.rollback() } }
      writerLock.unlock()
      throw error
    }
  }

  /// Writes the root page, commits the SQLite transaction, and notifies observers and other processes.
  ///
  /// - Parameter reading: whether a snapshot of the new version is returned.
  func conclude(_ transaction: WriteTransaction, root: RootPage, reading: Bool) throws -> Snapshot? {
    let content = try loader.source.closed(root.encoded(), for: .root(version: root.version))
    let retired = transaction.state.store.retired
    var oldest = root.version
    // Before the commit, so that no writer of another process can be quicker.
    if reading { registry.retain(root.version, end: root.nextNode) }
    do {
      try translating("commit") {
        // The order matters: readers are looked at before any node is deleted; see ``NodeReclaimer``.
        let elsewhere = try registry.oldestElsewhere()
        oldest = min(registry.oldestHere ?? root.version, elsewhere ?? root.version, root.version)
        try database.writer.with { connection in
          let before = transaction.replaced
          let recent = try reclaim(
            before, root.version, retired, oldest: oldest, elsewhere: elsewhere, by: connection)
          let freeable = max(before.freeable, min(elsewhere ?? root.version, root.version))
          try connection.commit(version: root.version, freeable: freeable, root: content, recent: recent)
          connection.checkpointIfDue(database)
        }
      }
    } catch {
      if reading { registry.release(root.version) }
      // The rollback restored what the rescan deleted.
      registry.requestRescan(from: 0)
      throw error
    }
    release(transaction)
    current.withLock { $0 = root }
    let snapshot = reading ? Snapshot(root: root, loader: loader, registry: registry) : nil
    writerLock.unlock()
    observers.notify(root.version)
    registry.lockFile?.announce(version: root.version)
    growth.check(oldest: oldest, latest: root.version, of: self)
    return snapshot
  }

  /// Adds the nodes that a commit replaces to those retired lately, and runs the reclaimer when it is due.
  ///
  /// - Returns: the nodes retired lately, for the new root row.
  private func reclaim(
    _ before: RootRow, _ version: UInt64, _ retired: [Int64], oldest: UInt64, elsewhere: UInt64?,
    by connection: WriterConnection
  ) throws -> [UInt8] {
    var recent = before.recent
    if !retired.isEmpty { recent += RetiredNodes.encode([RetiredNodes(version: version, ids: retired)]) }
    let isDue = NodeReclaimer.isDue(version, retired: retired.count)
    // Every number takes a byte or more, so few bytes are few numbers.
    guard isDue || recent.count > NodeReclaimer.recentLimit else { return recent }
    var entries = try RetiredNodes.decode(recent)
    if isDue {
      let reclaimer = NodeReclaimer(
        connection: connection, cache: loader.cache, registry: registry, announced: before.freeable, oldest: oldest,
        elsewhere: elsewhere)
      try reclaimer.run(&entries)
    } else if entries.reduce(0, { $0 + $1.ids.count }) > NodeReclaimer.recentLimit {
      try NodeReclaimer.spill(&entries, connection: connection, registry: registry)
    }
    return RetiredNodes.encode(entries)
  }

  /// Rolls a transaction back.
  func abandon(_ transaction: WriteTransaction) {
    let logs = database.isInMemory ? (try? transaction.madeLogs?.before()) ?? [] : []
    try? database.writer.with { connection in
      connection.rollback()
      for log in logs { recordInMemory(log.state, of: log.name) }
    }
    // No committed version refers to the nodes of this transaction, and their numbers are not given out again.
    transaction.state.store.abandon()
    release(transaction)
    writerLock.unlock()
  }

  private func release(_ transaction: WriteTransaction) {
    nodeFloor.store(transaction.state.store.next, ordering: .relaxed)
    loader.source.firstUncommitted.store(.max, ordering: .releasing)
  }
}
