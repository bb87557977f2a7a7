/// The statements of one connection, each compiled when it is first asked for.
///
///     var statements = StatementCache<String>(connection)
///     try statements.statement("SELECT name FROM pet WHERE age > ?").bind(1, 3)
///
/// For texts that the program knows: a statement stays as long as the cache. Keys other than the texts themselves are for
/// who asks often: a text is then made only when it is compiled.
public struct StatementCache<Key: Hashable> {
  @usableFromInline let connection: SQLiteConnection
  @usableFromInline var compiled: [Key: SQLiteStatement] = [:]

  /// No statements yet.
  public init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The statement of a key, reset. Parameters keep what was bound last.
  ///
  /// - Parameter text: the text of the key's statement.
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
  /// The statement of a text, reset. Parameters keep what was bound last.
  public mutating func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try statement(sql) { $0 } }
}
