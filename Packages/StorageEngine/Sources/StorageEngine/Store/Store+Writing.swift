extension Store {
  /// Starts a write transaction on the latest version, waiting for other writers up to the busy timeout.
  ///
  /// - Throws: ``StorageError`` with code `locked` when another writer does not end in time. A thread that asks for a
  ///   second transaction while it holds one waits for itself.
  public func beginWrite() throws -> WriteTransaction {
    try checkMayWrite()
    let transaction = try startWrite()
    guard transaction.base.logs == nil else { return transaction }
    do { try FormerLayout(transaction: transaction).bringOver() } catch {
      transaction.rollback()
      throw error
    }
    return transaction
  }

  private func startWrite() throws -> WriteTransaction {
    try waitForTurn()
    var isBegun = false
    do {
      let known = current.withLock { $0 }
      let latest = try translating("start a write transaction") {
        try database.writer.with { door in
          try door.begin()
          isBegun = true
          return try door.root(known: known.version)
        }
      }
      guard let latest else { throw Self.rootMissing }
      let base = try adopt(latest.version, latest.content, known)
      let first = max(base.nextNode, nodeFloor.load(ordering: .relaxed))
      loader.source.firstUncommitted.store(first, ordering: .releasing)
      return WriteTransaction(
        owner: self, base: base, replacing: latest, store: NodeStore(loader: loader, base: base, first: first))
    } catch {
      if isBegun { try? database.writer.with { $0.rollback() } }
      turn.give()
      throw error
    }
  }

  /// Writes the root and ends the SQLite transaction; then tells everybody.
  func conclude(_ transaction: WriteTransaction, root: RootState, reading: Bool) throws -> Snapshot? {
    let content = try loader.source.closed(root.encoded(), at: .root(version: root.version))
    let before = transaction.replaced
    let retired = transaction.state.store.retired
    var oldest = root.version
    // Before the commit, so that no writer of another process can be quicker.
    if reading { pins.pin(root.version, end: root.nextNode) }
    do {
      try translating("commit") {
        // The order matters: pins are looked at before anything is deleted; see ``Reclaiming``.
        let ofOthers = try pins.oldestOfOthers()
        oldest = min(pins.oldestOwn ?? root.version, ofOthers ?? root.version, root.version)
        try database.writer.with { door in
          var recent = before.recent
          if !retired.isEmpty { recent += RetiredNodes.encode([RetiredNodes(version: root.version, ids: retired)]) }
          let isDue = Reclaiming.isDue(root.version, retired: retired.count)
          // Every number takes a byte or more: what is short names few.
          if isDue || recent.count > Reclaiming.recentLimit {
            var entries = try RetiredNodes.decode(recent)
            if isDue {
              let reclaiming = Reclaiming(
                door: door, cache: loader.cache, pins: pins, announced: before.freeable, oldest: oldest,
                ofOthers: ofOthers)
              try reclaiming.run(&entries)
            } else if entries.reduce(0, { $0 + $1.ids.count }) > Reclaiming.recentLimit {
              try Reclaiming.putAside(&entries, door: door, pins: pins)
            }
            recent = RetiredNodes.encode(entries)
          }
          let freeable = max(before.freeable, min(ofOthers ?? root.version, root.version))
          try door.commit(version: root.version, freeable: freeable, root: content, recent: recent)
          door.checkpointIfDue(database)
        }
      }
    } catch {
      if reading { pins.unpin(root.version) }
      // What was looked at again is as it was.
      pins.revisit(from: 0)
      throw error
    }
    release(transaction)
    current.withLock { $0 = root }
    let snapshot = reading ? Snapshot(root: root, loader: loader, pins: pins) : nil
    turn.give()
    observers.tell(root.version)
    pins.coordination?.announce(version: root.version)
    growth.note(oldest: oldest, latest: root.version, of: self)
    return snapshot
  }

  func abandon(_ transaction: WriteTransaction) {
    let logs = database.isInMemory ? (try? transaction.madeLogs?.before()) ?? [] : []
    try? database.writer.with { door in
      door.rollback()
      for log in logs { hold(log.state, of: log.name) }
    }
    // Nothing committed refers to what this transaction wrote, and its numbers are not given out again.
    transaction.state.store.abandon()
    release(transaction)
    turn.give()
  }

  private func release(_ transaction: WriteTransaction) {
    nodeFloor.store(transaction.state.store.next, ordering: .relaxed)
    loader.source.firstUncommitted.store(.max, ordering: .releasing)
  }
}
