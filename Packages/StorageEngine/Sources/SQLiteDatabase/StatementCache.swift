/// The statements of one connection, each compiled when it is first asked for.
///
///     var statements = StatementCache(connection)
///     try statements.statement("SELECT name FROM pet WHERE age > ?").bind(1, 3)
///
/// For texts that the program knows: a statement stays as long as the cache.
public struct StatementCache {
  private let connection: SQLiteConnection
  private var compiled: [String: SQLiteStatement] = [:]

  /// No statements yet.
  public init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The statement of a text, reset. Parameters keep what was bound last.
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
