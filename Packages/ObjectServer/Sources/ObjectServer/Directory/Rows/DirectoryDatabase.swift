/// The tables of a directory behind a connection, of whichever SQL database: all reads and writes of rows go through it.
///
/// Writing functions are called within a transaction of the ``DirectoryStorage``.
struct DirectoryDatabase {
  let connection: any DirectoryConnection
  /// Whether a change was added to the feed.
  var hasNoted = false

  var seal: DirectorySeal { connection.sealer.seal }
  var tokens: OfferTokens { connection.sealer.tokens }

  init(_ connection: any DirectoryConnection) { self.connection = connection }

  /// A statement that begins so.
  func statement(_ text: String) -> DirectoryStatement { DirectoryStatement(text, connection.dialect) }

  /// SELECT with all columns of a table, and the seal behind them.
  func select(_ table: DirectoryTable) -> DirectoryStatement {
    let dialect = connection.dialect
    return DirectoryStatement(dialect.selections[table] ?? "", dialect)
  }
}
