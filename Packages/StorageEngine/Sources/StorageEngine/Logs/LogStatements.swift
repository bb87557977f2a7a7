import SQLiteDatabase

/// What a log can be asked through one connection, and what can be done to it through the writing one.
struct LogStatements {
  let door: ReadingDoor
  let name: String
  let loader: NodeLoader

  /// The number of the log's own table; nil when the log has none yet.
  func number() throws -> Int64? {
    let select = try door.statement("SELECT id FROM log WHERE name = ?")
    try select.bind(1, name)
    defer { select.reset() }
    return try select.step() ? select.int(at: 0) : nil
  }

  /// The one integer that `expression` gives over the log's table; nil when the log is empty.
  func integer(_ expression: String) throws -> Int64? {
    guard let number = try number() else { return nil }
    let select = try door.statement("SELECT \(expression) FROM log_\(number)")
    defer { select.reset() }
    return try select.step() && !select.isNull(at: 0) ? select.int(at: 0) : nil
  }

  func totalBytes() throws -> Int {
    let select = try door.statement("SELECT bytes FROM log WHERE name = ?")
    try select.bind(1, name)
    defer { select.reset() }
    return try select.step() ? Int(select.int(at: 0)) : 0
  }

  func entries(_ range: ClosedRange<Int64>, byteLimit: Int) throws -> [LogEntry] {
    guard let number = try number() else { return [] }
    let select = try door.statement(
      "SELECT position, content FROM log_\(number) WHERE position BETWEEN ? AND ? ORDER BY position")
    try select.bind(1, range.lowerBound).bind(2, range.upperBound)
    defer { select.reset() }
    var entries: [LogEntry] = []
    var rest = byteLimit
    while rest > 0 || entries.isEmpty, try select.step() {
      let position = select.int(at: 0)
      let content = try loader.source.opened(select.bytes(at: 1), at: .entry(log: name, position: position))
      rest -= min(content.count, rest)
      entries.append(LogEntry(position: position, content: content))
    }
    return entries
  }

  /// The statement that makes a log's own table.
  static func table(_ number: Int64) -> String {
    "CREATE TABLE log_\(number)(position INTEGER PRIMARY KEY, size INTEGER, content BLOB)"
  }

  // Writing. The stored size is the content and four bytes of checksum; totals count contents.

  func ensureNumber() throws -> Int64 {
    if let number = try number() { return number }
    let insert = try door.statement("INSERT INTO log(name, bytes) VALUES (?, 0)")
    try insert.bind(1, name).run()
    let number = door.connection.lastInsertedRow
    try door.connection.execute(Self.table(number))
    return number
  }

  func add(bytes: Int64, _ number: Int64) throws {
    try door.statement("UPDATE log SET bytes = bytes + ? WHERE id = ?").bind(1, bytes).bind(2, number).run()
  }

  func put(_ content: [UInt8], at position: Int64) throws {
    let number = try ensureNumber()
    try delete(position...position)
    let stored = try loader.source.closed(content, at: .entry(log: name, position: position))
    let insert = try door.statement("INSERT INTO log_\(number)(position, size, content) VALUES (?, ?, ?)")
    try stored.withUnsafeBytes { bytes in
      try insert.bind(1, position).bind(2, Int64(content.count)).bindUnsafeBytes(3, bytes)
      try insert.run()
    }
    try add(bytes: Int64(content.count), number)
  }

  func delete(_ range: ClosedRange<Int64>) throws {
    guard let number = try number() else { return }
    let sum = try door.statement("SELECT total(size) FROM log_\(number) WHERE position BETWEEN ? AND ?")
    try sum.bind(1, range.lowerBound).bind(2, range.upperBound)
    let bytes = try sum.step() ? Int64(sum.double(at: 0)) : 0
    sum.reset()
    let delete = try door.statement("DELETE FROM log_\(number) WHERE position BETWEEN ? AND ?")
    try delete.bind(1, range.lowerBound).bind(2, range.upperBound).run()
    if bytes != 0 { try add(bytes: -bytes, number) }
  }
}
