/// The statements of one connection, each compiled when it is first asked for. For the thread of the connection.
///
///     var statements = StatementCache<String>(connection)
///     try statements.statement("SELECT name FROM pet WHERE age > ?").bind(1, 3)
///
/// A statement stays as long as the cache, so its texts must be few. Keys other than the texts spare frequent callers
/// the making of a text.
public struct StatementCache<Key: Hashable> {
  @usableFromInline let connection: SQLiteConnection
  @usableFromInline var compiled: [Key: SQLiteStatement] = [:]

  /// An empty cache.
  public init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The statement of a key, reset. Parameters keep what was bound last.
  ///
  /// - Parameter text: the text of the key's statement.
  /// - Throws: ``SQLiteError`` when the text is wrong.
  @inlinable public mutating func statement(
    _ key: Key, _ text: (Key) -> String
  ) throws(SQLiteError) -> SQLiteStatement {
    if let known = compiled[key] {
      known.reset()
      return known
    }
    let statement = try connection.prepare(text(key))
    compiled[key] = statement
    return statement
  }
}

extension StatementCache<String> {
  /// The statement of a text, reset. Parameters keep their last values.
  ///
  /// - Throws: ``SQLiteError`` when the text is wrong.
  public mutating func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try statement(sql) { $0 } }
}
