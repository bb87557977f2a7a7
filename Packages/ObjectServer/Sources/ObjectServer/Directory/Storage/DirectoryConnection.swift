/// A connection to the SQL database of a directory. One thread at a time uses it.
public protocol DirectoryConnection: AnyObject {
  /// The database's way to write what SQL databases write differently.
  var dialect: SQLDialect { get }
  /// Seals the rows that are written and checks those that are read.
  var sealer: DirectorySealer { get }
  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - sql: the statement, in the connection's dialect.
  ///   - values: those of its parameters, in order.
  ///   - columns: the number of columns that it answers; 0 for none.
  ///   - row: called with each row; it runs no statement of this connection.
  /// - Throws: the database's error; that of `row`.
  func run(_ sql: String, _ values: [DirectoryValue], columns: Int, _ row: ([DirectoryValue]) throws -> Void) throws
  /// Looks through the database's own structure.
  ///
  /// - Returns: what is damaged, a sentence each; nothing when all is well.
  func structureProblems() throws -> [String]
}

extension DirectoryConnection {
  /// Runs a statement that answers no rows.
  func run(_ statement: DirectoryStatement) throws {
    try run(statement.text, statement.values, columns: 0) { _ in }
  }

  /// Runs a statement that answers rows.
  func run(_ statement: DirectoryStatement, columns: Int, _ row: ([DirectoryValue]) throws -> Void) throws {
    try run(statement.text, statement.values, columns: columns, row)
  }
}
