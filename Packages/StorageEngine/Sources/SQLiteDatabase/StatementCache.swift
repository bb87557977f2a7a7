/// The statements of one connection, each compiled when it is first asked for. For the thread of the connection.
///
///     var statements = StatementCache(connection)
///     try statements.statement("SELECT name FROM pet WHERE age > ?").bind(1, 3)
///
/// A statement stays as long as the cache, so its texts must be few.
public struct StatementCache {
  private let connection: SQLiteConnection
  private var compiled: [String: SQLiteStatement] = [:]

  /// An empty cache.
  public init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The statement of a text, reset. Parameters keep what was bound last.
  ///
  /// - Throws: ``SQLiteError`` when the text is wrong.
  public mutating func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = compiled[sql] {
      known.reset()
      return known
    }
    let statement = try connection.prepare(sql)
    compiled[sql] = statement
    return statement
  }
}
