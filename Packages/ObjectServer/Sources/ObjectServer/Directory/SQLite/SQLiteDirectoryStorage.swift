import SQLiteDatabase
import Synchronization

/// A directory's storage in one SQLite file: a single connection, which callers use one after the other.
public final class SQLiteDirectoryStorage: DirectoryStorage {
  private let connection: Mutex<SQLiteDirectoryConnection?>

  init(path: String, key: @Sendable (_ isSealed: Bool) throws(ServerError) -> DirectoryKey) throws {
    connection = Mutex(try SQLiteDirectoryConnection(path: path, key: key))
  }

  /// Calls `body` with the connection.
  ///
  /// - Throws: the error of `body`; ``ServerError/Code/stopped`` after ``close()``.
  public func read<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { try body($0) }
  }

  /// Calls `body` within a transaction that only reads.
  ///
  /// - Throws: the error of `body`, `SQLiteError`; ``ServerError/Code/stopped`` after ``close()``.
  public func snapshot<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { connection in try connection.snapshot { try body(connection) } }
  }

  /// Calls `body` within a transaction that holds the write lock of the file. When the function returns, it is on the disk.
  ///
  /// - Throws: the error of `body`, `SQLiteError`; ``ServerError/Code/stopped`` after ``close()``.
  public func write<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try use { connection in try connection.transaction { try body(connection) } }
  }

  private func use<Value: Sendable>(_ body: (SQLiteDirectoryConnection) throws -> Value) throws -> Value {
    try connection.withLock { connection in
      guard let connection else {
        throw ServerError(.stopped, "the directory is closed", remedy: "start the server again")
      }
      return try body(connection)
    }
  }

  /// The remedy that SQLite's error names.
  public static func remedy(for error: any Error) -> String {
    let remedy = (error as? SQLiteError)?.remedy ?? "check the data directory"
    return remedy.prefix(1).lowercased() + remedy.dropFirst()
  }

  /// Flushes and closes.
  public func close() { connection.withLock { $0 = nil } }
}
