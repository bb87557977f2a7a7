import SQLiteDatabase

// The table of a log: log_<number>(position, gap, content). The gap is the distance to the entry before, as of when the
// entry was written or, later, when an entry between them came or went; 0 for the first of an empty log. Content is
// sealed for the positions of both, so the seal covers the gap.

/// One log, read and changed through one connection. For the thread that holds the connection.
struct LogStatements {
  let connection: ReaderConnection
  let source: NodeSource
  let name: String
  var state: LogState

  /// A statement on the log's own table.
  func statement(_ statement: LogTableStatement) throws -> SQLiteStatement {
    do { return try connection.statement(statement.sql(log: state.number)) } catch let error as SQLiteError
      where error.kind == .other
    {
      // The text is right, so the table is missing.
      throw StorageError(
        .corrupt, "The entries of log '\(name)' are missing. Restore the file from a backup or its server.",
        cause: error)
    }
  }

  func context(_ position: Int64, after previous: Int64) -> SealingContext {
    .entry(log: name, position: position, after: previous)
  }

  /// An entry of the chain.
  struct ChainedEntry {
    var position: Int64
    var content: [UInt8]
    /// The position of the entry before, which may be deleted since.
    var previous: Int64

    var entry: LogEntry { LogEntry(position: position, content: content) }
  }

  /// Calls `body` with the entries of a range, ascending, until it returns false.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when an entry is damaged, or missing between those that `body`
  ///   saw or behind them.
  func forEach(in range: ClosedRange<Int64>, _ body: (ChainedEntry) throws -> Bool) throws {
    guard let span = state.span, range.overlaps(span) else { return }
    let range = range.clamped(to: span)
    let select = try statement(.readFrom)
    try select.bind(1, range.lowerBound)
    defer { select.reset() }
    var before: Int64?
    while try select.step() {
      let position = select.int(at: 0)
      let previous = position &- select.int(at: 1)
      let content = try source.opened(select.bytes(at: 2), for: context(position, after: previous))
      let isNext =
        if let before { previous == before && position > before } else {
          position == span.lowerBound || previous < range.lowerBound
        }
      guard isNext else { throw missing(before ?? range.lowerBound) }
      // The entry behind the range proves that none is between.
      guard position <= range.upperBound else { return }
      guard try body(ChainedEntry(position: position, content: content, previous: previous)) else { return }
      guard position < range.upperBound else { return }
      before = position
    }
    throw missing(before ?? range.lowerBound)
  }

  private func missing(_ position: Int64) -> StorageError {
    StorageError.damage("Entries of log '\(name)' from position \(position) on are missing.")
  }

  /// The first entry at or behind a position within the span.
  func first(from position: Int64, _ span: ClosedRange<Int64>) throws -> ChainedEntry {
    var found: ChainedEntry?
    try forEach(in: position...span.upperBound) { entry in
      found = entry
      return false
    }
    guard let found else { throw missing(position) }
    return found
  }

  func entries(_ range: ClosedRange<Int64>, byteLimit: Int) throws -> [LogEntry] {
    var entries: [LogEntry] = []
    var rest = byteLimit
    try forEach(in: range) { entry in
      entries.append(entry.entry)
      rest -= min(entry.content.count, rest)
      return rest > 0
    }
    return entries
  }
}
