import SQLiteDatabase

// Changes read and check the entries that they chain to, so a chain is never closed over a gap that damage left.
extension LogStatements {
  /// Creates the log's own table.
  func makeTable() throws {
    try connection.sqlite.execute(LogTableStatement.make(log: state.number))
  }

  mutating func put(_ entry: LogEntry) throws {
    guard let span = state.span else { return try insert(entry, after: entry.position) }
    guard entry.position <= span.upperBound else { return try insert(entry, after: span.upperBound) }
    guard entry.position >= span.lowerBound else {
      let first = try first(from: span.lowerBound, span)
      try insert(entry, after: entry.position)
      return try replace(first.entry, after: entry.position)
    }
    let next = try first(from: entry.position, span)
    if next.position == entry.position {
      try replace(entry, after: next.previous)
      return state.resize(by: entry.content.count - next.content.count)
    }
    try insert(entry, after: next.previous)
    try replace(next.entry, after: entry.position)
  }

  private mutating func insert(_ entry: LogEntry, after previous: Int64) throws {
    // A file that was made from a record has no table of a log whose entries were all deleted in the commit that began it.
    if state.span == nil { try connection.sqlite.execute(LogTableStatement.make(log: state.number, ifMissing: true)) }
    let stored = try source.closed(entry.content, for: context(entry.position, after: previous))
    let insert = try statement(.insert)
    try insert.bind(1, entry.position).bind(2, entry.position &- previous)
    try stored.withUnsafeBytes { _ = try insert.bindUnsafeBytes(3, $0).run() }
    state.add(entry.position, entry.content.count)
  }

  /// Replaces the content of an entry, or the entry before it.
  private func replace(_ entry: LogEntry, after previous: Int64) throws {
    let stored = try source.closed(entry.content, for: context(entry.position, after: previous))
    let update = try statement(.replace)
    try update.bind(1, entry.position &- previous).bind(3, entry.position)
    try stored.withUnsafeBytes { _ = try update.bindUnsafeBytes(2, $0).run() }
  }

  mutating func delete(_ range: ClosedRange<Int64>) throws {
    guard let span = state.span, range.overlaps(span) else { return }
    let range = range.clamped(to: span)
    guard range != span else { return try deleteAll() }
    var (count, bytes) = (0, 0)
    var head: ChainedEntry?
    try forEach(in: range) { entry in
      head = head ?? entry
      count += 1
      bytes += entry.content.count
      return true
    }
    guard let head else { return }
    let isFirst = head.position == span.lowerBound
    let before = isFirst ? nil : max(head.previous, span.lowerBound)
    let next = range.upperBound < span.upperBound ? try first(from: range.upperBound + 1, span) : nil
    let rest: ClosedRange<Int64>
    switch (before, next) {
    case (nil, nil): return try deleteAll()
    case (let before?, nil): rest = span.lowerBound...before
    case (nil, let next?): rest = next.position...span.upperBound
    case (let before?, let next?):
      try replace(next.entry, after: before)
      rest = span
    }
    let delete = try statement(.delete)
    try delete.bind(1, range.lowerBound).bind(2, range.upperBound).run()
    state.remove(count, bytes, leaving: rest)
  }

  private mutating func deleteAll() throws {
    try statement(.deleteAll).run()
    state.removeAll()
  }
}
