extension Store {
  /// The log of that name, as of the latest commit at each call. A log exists from its first entry on.
  public func log(_ name: String) -> LogReader { LogReader(name: name, store: self) }

  /// Calls `body` with a log as of the latest commit; returns nil when there is no such log.
  func reading<R>(log name: String, _ body: (LogStatements) throws -> R) throws -> R? {
    func read(_ connection: ReaderConnection, _ state: LogState?) throws -> R? {
      try state.map {
        try body(LogStatements(connection: connection, source: loader.source, name: name, state: $0))
      }
    }
    if database.isInMemory {
      return try database.reading { connection in try read(connection, inMemoryLogs.withLock { $0[name] }) }
    }
    return try readingLatest({ try logs(of: $0).state(of: name, loader) }, read)
  }

  /// The logs of a version; of a file of a format before 6, none or an error.
  func logs(of root: RootPage) throws -> RootLogs {
    if let logs = root.logs { return logs }
    guard try !database.reading({ try $0.hasUnmigratedEntries() }) else {
      throw StorageError(
        .readOnly, "An earlier release wrote the file. Open it once to be written; its logs can be read then.")
    }
    return .empty
  }

  /// Records the state of a log in memory, as a transaction left it or, rolled back, found it.
  func recordInMemory(_ state: LogState?, of name: String) {
    if database.isInMemory { inMemoryLogs.withLock { $0[name] = state } }
  }
}
