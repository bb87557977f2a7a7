import Dispatch

extension Store {
  /// Starts a write transaction on the latest version, waiting for other writers up to the busy timeout.
  ///
  /// - Throws: ``StorageError`` with code `locked` when another writer does not end in time. A thread that asks for a
  ///   second transaction while it holds one waits for itself.
  public func beginWrite() throws -> WriteTransaction {
    let (seconds, attoseconds) = configuration.busyTimeout.components
    let nanoseconds = min(seconds, 1 << 30) * 1_000_000_000 + attoseconds / 1_000_000_000
    guard turn.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else {
      throw StorageError(.locked, "Another thread has been writing for too long. Try again, or allow a longer timeout.")
    }
    var isBegun = false
    do {
      let known = current.withLock { $0 }
      let latest = try translating("start a write transaction") {
        try database.writer.with { door in
          try door.begin()
          isBegun = true
          return try door.reading.root(known: known.version)
        }
      }
      guard let latest else { throw Self.rootMissing }
      let base = try adopt(latest.version, latest.content, known)
      let first = max(base.nextNode, nodeFloor.load(ordering: .relaxed))
      loader.source.firstUncommitted.store(first, ordering: .releasing)
      return WriteTransaction(owner: self, base: base, store: NodeStore(loader: loader, first: first))
    } catch {
      if isBegun { try? database.writer.with { $0.rollback() } }
      turn.signal()
      throw error
    }
  }

  /// Writes the root and ends the SQLite transaction; then tells everybody.
  func conclude(_ transaction: WriteTransaction, root: RootState, reading: Bool) throws -> Snapshot? {
    let content = try loader.source.closedRoot(root.encoded(), version: root.version)
    let retired = transaction.state.store.retired
    try translating("commit") {
      // The order matters: pins are looked at before anything is deleted; see ``pinnedInFile``.
      let oldest = min(try pins.oldestEverywhere() ?? root.version, root.version)
      try database.writer.with { door in
        let before = try door.previous()
        var recent = try RetiredNodes.decode(before.recent)
        if !retired.isEmpty { recent.append(RetiredNodes(version: root.version, ids: retired)) }
        if Reclaiming.isDue(root.version) || recent.reduce(0, { $0 + $1.ids.count }) > Reclaiming.recentLimit {
          try Reclaiming.run(door, &recent, through: min(before.freeable, oldest), cache: loader.cache)
        }
        try door.update(
          version: root.version, freeable: oldest, root: content, recent: RetiredNodes.encode(recent))
        try door.commit()
      }
    }
    release(transaction)
    var snapshot: Snapshot?
    current.withLock {
      $0 = root
      if reading {
        _ = pins.pin(root.version)
        snapshot = Snapshot(root: root, loader: loader, pins: pins)
      }
    }
    turn.signal()
    observers.committed(root.version)
    return snapshot
  }

  func abandon(_ transaction: WriteTransaction) {
    try? database.writer.with { $0.rollback() }
    // Nothing committed refers to what this transaction wrote, and its numbers are not given out again.
    let store = transaction.state.store
    loader.cache.remove(store.first..<store.next)
    release(transaction)
    turn.signal()
  }

  private func release(_ transaction: WriteTransaction) {
    nodeFloor.store(transaction.state.store.next, ordering: .relaxed)
    loader.source.firstUncommitted.store(.max, ordering: .releasing)
  }
}
