public import ObjectServer
import PostgresClient
import Synchronization

/// A directory's storage in the database of a cluster. Each call has a connection of its own, so that callers read at the same
/// time; one transaction of all nodes writes at a time.
public final class PostgresDirectoryStorage: DirectoryStorage {
  private let database: ClusterDatabase
  private let key: DirectoryKey
  private let isClosed = Mutex(false)

  /// - Parameters:
  ///   - folder: the folder `keys` of this node, which becomes a copy of the cluster's keys.
  ///   - secret: the secret of the cluster; nil when it has none.
  /// - Throws: ``ServerError/Code/badKey`` when it has the keys of another cluster; `PostgresError`.
  package init(_ database: ClusterDatabase, keys folder: String, _ secret: ClusterSecret?) throws {
    self.database = database
    key = try Self.alone(on: database) { try ClusterKeys.agree(folder, secret, on: $0) }
  }

  /// Calls `body` within a transaction that is the only one of all nodes to write.
  static func alone<Value>(on database: ClusterDatabase, _ body: (PostgresConnection) throws -> Value) throws -> Value {
    try database.repeating { connection in try transaction(connection) { try body(connection) } }
  }

  /// Calls `body` with a connection outside of transactions.
  ///
  /// - Throws: the error of `body`; `PostgresError`; ``ServerError/Code/stopped`` after ``close()``.
  public func read<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { connection in try body(PostgresDirectoryConnection(connection, key)) }
  }

  /// Calls `body` within a transaction that reads one state.
  ///
  /// - Throws: the error of `body`; `PostgresError`; ``ServerError/Code/stopped`` after ``close()``.
  public func snapshot<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { connection in
      try connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      defer { if connection.isAlive { _ = try? connection.query("ROLLBACK") } }
      return try body(PostgresDirectoryConnection(connection, key))
    }
  }

  /// Calls `body` within a transaction that is the only one of all nodes to write.
  ///
  /// - Throws: the error of `body`; `PostgresError`; ``ServerError/Code/directoryFailure`` when it is unknown whether the transaction
  ///   was committed; ``ServerError/Code/stopped`` after ``close()``.
  public func write<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { connection in
      try Self.transaction(connection) { try body(PostgresDirectoryConnection(connection, key)) }
    }
  }

  /// Ends the use of the database, whose connections serve others.
  public func close() { isClosed.withLock { $0 = true } }

  private func use<Value: Sendable>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    guard !isClosed.withLock({ $0 }) else {
      throw ServerError(.stopped, "the directory is closed", remedy: "start the server again")
    }
    return try database.repeating(body)
  }

  /// The number of the lock that a writing transaction holds.
  private static let lock = 0x4F52_4C44

  /// A writing transaction sees what all earlier ones wrote, because each of its statements does and the lock is freed after the
  /// commit. A node that stops in the middle loses the transaction; others wait no longer than a SQLite directory does. A database that
  /// acknowledges commits before they are on its disk does not do so here.
  private static let begin = """
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL idle_in_transaction_session_timeout = '5s';
    SET LOCAL lock_timeout = '10s';
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(\(lock))
    """

  private static func transaction<Value>(_ connection: PostgresConnection, _ body: () throws -> Value) throws -> Value {
    let value: Value
    do {
      try connection.query(begin)
      value = try body()
    } catch {
      if connection.isAlive { _ = try? connection.query("ROLLBACK") }
      throw error
    }
    do {
      guard try connection.query("COMMIT").command == "COMMIT" else {
        throw PostgresError(message: "the transaction was rolled back, because a statement of it had failed")
      }
    } catch let error as PostgresError where !error.isConflict {
      throw ServerError(
        .directoryFailure, "the database of the directory failed during a commit, whose outcome is unknown",
        remedy: "check that PostgreSQL runs, and look whether the change was made", cause: error)
    }
    return value
  }

  /// The remedy for an error of PostgreSQL.
  public static func remedy(for error: any Error) -> String {
    switch (error as? PostgresError)?.state {
    case "25006": "use the address of a PostgreSQL that takes writes: this one is a standby"
    case "55P03": "try again: another node holds the directory"
    case "53100", "53200", "53300": "give PostgreSQL more room: its disk, its memory or its connections are used up"
    case _: "check that PostgreSQL runs and that the address in 'storage' is right"
    }
  }
}
