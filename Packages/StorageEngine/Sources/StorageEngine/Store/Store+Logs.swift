extension Store {
  /// The log of that name, as of the latest commit at each call. A log exists from its first entry on.
  public func log(_ name: String) -> LogReader { LogReader(name: name, store: self) }

  /// Calls `body` with a log as of the latest commit; nil when there is no such log.
  func reading<R>(log name: String, _ body: (LogStatements) throws -> R) throws -> R? {
    func read(_ door: ReadingDoor, _ state: LogState?) throws -> R? {
      try state.map { try body(LogStatements(door: door, source: loader.source, name: name, state: $0)) }
    }
    if database.isInMemory {
      return try database.reading { door in try read(door, heldLogs.withLock { $0[name] }) }
    }
    return try readingLatest({ try logs(of: $0).state(of: name, loader) }, read)
  }

  /// What a version says of its logs; of files that an earlier release wrote, if there are none.
  func logs(of root: RootState) throws -> RootLogs {
    if let logs = root.logs { return logs }
    guard try database.reading(FormerLayout.isEmpty) else {
      throw StorageError(
        .readOnly, "An earlier release wrote the file. Open it once to be written; its logs can be read then.")
    }
    return .empty
  }

  /// Takes note of what a transaction made of a log, or of what it was when the transaction is rolled back.
  func hold(_ state: LogState?, of name: String) {
    if database.isInMemory { heldLogs.withLock { $0[name] = state } }
  }

  /// Calls `body` with a connection that sees the latest version, and with what `prepare` made of that version before.
  func readingLatest<Prepared, R>(
    _ prepare: (RootState) throws -> Prepared, _ body: (ReadingDoor, Prepared) throws -> R
  ) throws -> R {
    while true {
      let snapshot = try latestSnapshot()
      defer { withExtendedLifetime(snapshot) {} }
      let prepared = try prepare(snapshot.root)
      let result: R? = try database.reading { door in
        // In memory a transaction may be open on the only connection.
        let isOwn = !door.connection.isInTransaction
        if isOwn { try door.statement("BEGIN").run() }
        defer { if isOwn { try? door.statement("COMMIT").run() } }
        // A writer may have been faster.
        guard try door.root(known: snapshot.root.version)?.version == snapshot.root.version else { return nil }
        return .some(try body(door, prepared))
      }
      if let result { return result }
    }
  }
}
