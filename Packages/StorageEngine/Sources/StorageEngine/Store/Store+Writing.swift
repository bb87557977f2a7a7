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
        guard let before = try door.reading.root(known: .max) else { throw Self.rootMissing }
        if !retired.isEmpty { try door.retire(Self.encode(retired), version: root.version) }
        if Reclaiming.isDue(root.version) {
          try Reclaiming.run(door, through: min(before.freeable, oldest), cache: loader.cache)
        }
        try door.update(version: root.version, freeable: oldest, root: content)
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

  static func encode(_ retired: [Int64]) -> [UInt8] {
    var writer = NodeWriter()
    writer.count(retired.count)
    var previous: Int64 = 0
    for id in retired.sorted() {
      writer.count(Int(id - previous))
      previous = id
    }
    return writer.bytes
  }
}

/// Deletes superseded nodes that no snapshot needs.
///
/// A node that version V replaced is needed by snapshots below V only. It is deleted by a commit C when every pin is
/// at or above V **and** a commit before C announced that versions below V may lose nodes. A reader pins first and
/// reads the announcement afterwards, so it either sees the announcement, or is seen.
enum Reclaiming {
  /// Commits between two runs: deleting in batches touches each page once.
  static let interval: UInt64 = 16
  /// Versions whose nodes one run deletes at most, so that no single commit pays for a long reader.
  static let limit = 64

  static func isDue(_ version: UInt64) -> Bool { version % interval == 0 }

  static func run(_ door: WritingDoor, through version: UInt64, cache: NodeCache, limit: Int = limit) throws {
    let entries = try door.retired(through: version, limit: limit)
    guard let last = entries.last else { return }
    for (_, ids) in entries {
      let ids = try decode(ids)
      for id in ids { try door.delete(node: id) }
      cache.remove(ids)
    }
    try door.forgetRetired(through: last.version)
  }

  static func decode(_ content: [UInt8]) throws -> [Int64] {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: 0)
      var id: Int64 = 0
      return try (0..<(try reader.count(limit: bytes.count))).map { _ in
        id += try reader.nodeID()
        return id
      }
    }
  }
}
