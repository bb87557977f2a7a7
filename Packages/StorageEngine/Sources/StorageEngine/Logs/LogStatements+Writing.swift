import SQLiteDatabase

// Whatever is built on an entry reads it first: a chain with a link that damage hides is never closed over the gap.
extension LogStatements {
  /// Makes the log's own table.
  func makeTable() throws {
    try door.connection.execute(
      "CREATE TABLE log_\(state.number)(position INTEGER PRIMARY KEY, gap INTEGER NOT NULL, content BLOB NOT NULL)")
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
    if next.entry.position == entry.position {
      try replace(entry, after: next.previous)
      return state.resize(by: entry.content.count - next.entry.content.count)
    }
    try insert(entry, after: next.previous)
    try replace(next.entry, after: entry.position)
  }

  private mutating func insert(_ entry: LogEntry, after previous: Int64) throws {
    let stored = try source.closed(entry.content, at: place(entry.position, after: previous))
    let insert = try statement(.insert)
    try insert.bind(1, entry.position).bind(2, entry.position &- previous)
    try stored.withUnsafeBytes { _ = try insert.bindUnsafeBytes(3, $0).run() }
    state.add(entry.position, entry.content.count)
  }

  /// Gives an entry that is there other content, or another one before it.
  private func replace(_ entry: LogEntry, after previous: Int64) throws {
    let stored = try source.closed(entry.content, at: place(entry.position, after: previous))
    let update = try statement(.replace)
    try update.bind(1, entry.position &- previous).bind(3, entry.position)
    try stored.withUnsafeBytes { _ = try update.bindUnsafeBytes(2, $0).run() }
  }

  mutating func delete(_ range: ClosedRange<Int64>) throws {
    guard let span = state.span, range.overlaps(span) else { return }
    let range = range.clamped(to: span)
    guard range != span else { return try deleteAll() }
    var (count, bytes) = (0, 0)
    var head: Link?
    try forEach(in: range) { link in
      head = head ?? link
      count += 1
      bytes += link.entry.content.count
      return true
    }
    guard let head else { return }
    let isFirst = head.entry.position == span.lowerBound
    let before = isFirst ? nil : max(head.previous, span.lowerBound)
    let next = range.upperBound < span.upperBound ? try first(from: range.upperBound + 1, span) : nil
    let rest: ClosedRange<Int64>
    switch (before, next) {
    case (nil, nil): return try deleteAll()
    case (let before?, nil): rest = span.lowerBound...before
    case (nil, let next?): rest = next.entry.position...span.upperBound
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
