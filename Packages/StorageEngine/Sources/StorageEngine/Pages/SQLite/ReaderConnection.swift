import SQLiteDatabase

/// A connection that reads, with its compiled statements. For one thread at a time.
final class ReaderConnection {
  let sqlite: SQLiteConnection
  private let selectNode: SQLiteStatement
  private let selectRoot: SQLiteStatement
  private var statements: StatementCache
  var tables: SideTables

  init(_ sqlite: SQLiteConnection) throws {
    self.sqlite = sqlite
    statements = StatementCache(sqlite)
    tables = SideTables(sqlite)
    selectNode = try sqlite.prepare("SELECT content FROM node WHERE id = ?")
    selectRoot = try sqlite.prepare("SELECT version, freeable, content, recent FROM root WHERE id = 1")
  }

  /// Calls `body` with the stored content of a node, in place; returns nil when there is no such node.
  func withNode<R>(_ id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R? {
    try selectNode.bind(1, id)
    defer { selectNode.reset() }
    guard try selectNode.step() else { return nil }
    return try selectNode.withBytes(at: 0, body)
  }

  /// The latest root row; nil when there is none.
  ///
  /// - Parameters:
  ///   - known: the version whose content is not read.
  ///   - isToBeReplaced: whether the nodes retired lately are read.
  func root(known: UInt64, isToBeReplaced: Bool = false) throws -> RootRow? {
    defer { selectRoot.reset() }
    guard try selectRoot.step() else { return nil }
    let version = UInt64(bitPattern: selectRoot.int(at: 0))
    let freeable = UInt64(bitPattern: selectRoot.int(at: 1))
    // No commit announces more than its own version. A reader that met more would wait for a version that never comes.
    guard version > 0, version < 1 << 62, freeable <= version else {
      throw StorageError(.corrupt, "The version of the file is impossible. Restore it from a backup or its server.")
    }
    return RootRow(
      version: version, freeable: freeable,
      content: version == known ? nil : selectRoot.bytes(at: 2), recent: isToBeReplaced ? selectRoot.bytes(at: 3) : [])
  }

  /// The statement of a text, compiled once per connection and reset.
  func statement(_ sql: String) throws -> SQLiteStatement { try statements.statement(sql) }

  /// Whether a file of a format before 6 has entries of logs, or records, outside of its root page.
  func hasUnmigratedEntries() throws -> Bool {
    try sqlite.integer("SELECT (SELECT count(*) FROM record) + (SELECT count(*) FROM log)") != 0
  }
}
