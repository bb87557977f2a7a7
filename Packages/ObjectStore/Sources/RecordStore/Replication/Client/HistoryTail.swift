import StorageEngine

/// The end of a client's history as of one version: from memory where this process wrote it, else from the file.
struct HistoryTail {
  /// The version up to which the history goes.
  let newest: Int64
  private let recent: RecentEntries
  private let readLast: () throws -> Int64?
  private let read: (ClosedRange<Int64>, _ byteLimit: Int) throws -> [LogEntry]

  /// As of a snapshot.
  init(_ file: RealmFile, _ snapshot: Snapshot) {
    let log = file.store.log(ClientLog.entries)
    newest = Int64(snapshot.version.rawValue)
    recent = file.recentEntries.withLock { $0 }
    readLast = log.lastPosition
    read = { try log.entries(in: $0, byteLimit: $1) }
  }

  /// As of the version that a transaction began with.
  init(_ session: WriteSession) throws {
    self.init(
      try session.transaction.log(ClientLog.entries), through: Int64(session.transaction.version.rawValue),
      recent: session.file.recentEntries.withLock { $0 })
  }

  init(_ log: LogWriter, through newest: Int64, recent: RecentEntries = RecentEntries()) {
    self.newest = newest
    self.recent = recent
    readLast = log.lastPosition
    read = { try log.entries(in: $0, byteLimit: $1) }
  }

  /// The position of the last entry after another position, or the newest version when others came since; nil when there
  /// is none.
  func lastPosition(after position: Int64) throws -> Int64? {
    guard position < newest else { return nil }
    if let known = recent.entries(in: position + 1...newest) { return known.last?.position }
    return try readLast().flatMap { $0 > position ? min($0, newest) : nil }
  }

  /// The entries after a position, ascending, until the sizes reach `byteLimit`; at least one if there is any.
  func entries(after position: Int64, byteLimit: Int = .max) throws -> [(position: Int64, entry: ClientLogEntry)] {
    guard position < newest else { return [] }
    let range = position + 1...newest
    if let known = recent.entries(in: range) {
      var rest = byteLimit
      return Array(
        known.prefix { item in
          defer { rest -= min(item.entry.changeset.count, rest) }
          return rest > 0 || item.position == known.first?.position
        })
    }
    return try read(range, byteLimit).map { ($0.position, try ClientLogEntry(decoding: $0.content)) }
  }
}
