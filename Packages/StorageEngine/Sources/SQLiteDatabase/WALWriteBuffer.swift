import CSQLite
import CWriteBuffer

/// Gathers the writes of a commit to the write-ahead log, so that the system gets them in one call, or in pieces of 64
/// KiB. Without it each page takes two calls, one for its frame header.
///
///     try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
///     let buffer = try WALWriteBuffer(connection)
///     try connection.execute("BEGIN IMMEDIATE; INSERT INTO pet VALUES ('Ada')")
///     try buffer.gathering { try connection.execute("COMMIT") }  // one write, one sync
///
/// Only commits are gathered: a commit syncs the log before its locks are released. Writes ahead of it go out at once,
/// since SQLite does not say when it gives them up.
public struct WALWriteBuffer {
  // Freed with the file of the log, which the connection keeps open for as long as it lives.
  private let buffer: OpaquePointer?
  private let connection: SQLiteConnection

  private static let capacity: Int32 = 1 << 16

  /// The buffer of a connection whose settings are final. Without a write-ahead log, or where commits are not synced,
  /// it gathers nothing, since other connections then read the writes from the system at once.
  ///
  /// - Throws: ``SQLiteError`` when the file cannot be read, or there is no memory.
  public init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    var log: UnsafeMutablePointer<sqlite3_file>?
    // 2 is FULL. Asking for the schema opens the log.
    guard try connection.text("PRAGMA journal_mode") == "wal", try connection.integer("PRAGMA synchronous") ?? 0 >= 2,
      try connection.integer("PRAGMA schema_version") != nil,
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK,
      let log, log.pointee.pMethods != nil
    else {
      buffer = nil
      return
    }
    buffer = write_buffer_install(log, Self.capacity)
    guard buffer != nil else { throw SQLiteError(code: SQLITE_NOMEM, message: "no memory for writes to the log") }
  }

  /// Calls `commit`, which ends a transaction whether it succeeds or fails.
  public func gathering(_ commit: () throws -> Void) rethrows {
    guard let buffer else { return try commit() }
    write_buffer_begin(buffer)
    defer { write_buffer_end(buffer) }
    try commit()
  }
}
