import SQLiteDatabase

/// The connection to the file of an embedded directory: its tables, and statements that are compiled once.
///
/// Not `Sendable`: ``SQLiteDirectoryStorage`` keeps it behind a lock.
final class SQLiteDirectoryConnection: DirectoryConnection {
  let connection: SQLiteConnection
  let sealer: DirectorySealer
  private var statements: StatementCache
  private var checkpointer = Checkpointer(limit: 1000)
  private let path: String

  var dialect: SQLDialect { .sqlite }

  /// - Parameter key: the key of the seals, told whether there are seals already.
  init(path: String, key: (_ isSealed: Bool) throws(ServerError) -> DirectoryKey) throws {
    self.path = path
    connection = try SQLiteConnection(path: path)
    statements = StatementCache(connection)
    connection.setBusyTimeout(.seconds(10))
    _ = try connection.text("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    let found = try connection.integer("PRAGMA user_version") ?? 0
    guard found <= Self.layout else {
      throw ServerError(
        .directoryFailure, "the directory \(path) was written by a newer release",
        remedy: "start that release, or restore a backup")
    }
    sealer = try DirectorySealer(try key(found >= 6))
    if found < Self.layout { try upgrade() }
  }

  func run(
    _ sql: String, _ values: [DirectoryValue], columns: Int, _ row: ([DirectoryValue]) throws -> Void
  ) throws {
    let statement = try statement(sql, values)
    defer { statement.reset() }
    while try statement.step() { try row(Self.cells(statement, columns)) }
  }

  /// A statement, compiled once, with its parameters.
  func statement(_ sql: String, _ values: [DirectoryValue]) throws -> SQLiteStatement {
    let statement = try statements.statement(sql)
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): try statement.bind(index + 1, text)
      case .integer(let number?): try statement.bind(index + 1, number)
      case .integer(nil): try statement.bindNull(index + 1)
      case .blob(let bytes): try statement.bind(index + 1, bytes)
      }
    }
    return statement
  }

  /// The columns of the row at which a statement stands.
  static func cells(_ statement: SQLiteStatement, _ count: Int) -> [DirectoryValue] {
    var cells: [DirectoryValue] = []
    cells.reserveCapacity(count)
    for column in 0..<count {
      switch statement.storageClass(at: column) {
      case .null: cells.append(.text(nil))
      case .integer: cells.append(.integer(statement.int(at: column)))
      case .text: statement.withBytes(at: column) { cells.append(.text(String(decoding: $0, as: UTF8.self))) }
      case .blob, .real: statement.withBytes(at: column) { cells.append(.blob(Array($0))) }
      }
    }
    return cells
  }

  /// Runs `body` within a transaction that reads one state.
  func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    try statement("BEGIN", []).run()
    defer { if connection.isInTransaction { try? statement("ROLLBACK", []).run() } }
    return try body()
  }

  /// Runs `body` within a transaction, and moves the log into the file when it has grown enough.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try connection.transaction(body)
    checkpointer.runIfDue(connection) { try $0(try SQLiteConnection(path: path, mode: .readWrite)) }
    return value
  }

  func structureProblems() throws -> [String] {
    let integrity = try connection.text("PRAGMA integrity_check(1)") ?? ""
    var problems = integrity == "ok" ? [] : ["the directory of users is damaged: \(integrity)"]
    let new = try SQLiteDirectoryConnection(path: ":memory:") { _ in .random() }
    if try schema() != new.schema() {
      problems.append("the tables of the directory of users are not what they should be")
    }
    return problems
  }

  private func schema() throws -> [String] {
    var found: [String] = []
    try run("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", [], columns: 4) { row in
      found.append(row.map { if case .text(let text?) = $0 { text } else { "" } }.joined(separator: " "))
    }
    return found
  }
}
