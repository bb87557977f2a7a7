import CSQLite

/// A failure of SQLite: its code and message, and a remedy.
public struct SQLiteError: Error, Sendable {
  /// The kinds of failure that callers tell apart.
  public enum Kind: Sendable, Hashable {
    case notADatabase, corrupt, busy, diskFull, readOnly, cannotOpen, permissionDenied, ioFailed, tooLarge
    case constraint, outOfMemory, other
  }

  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's description.
  public let message: String
  /// The statement that failed, if there was one.
  public let sql: String?

  /// The kind of the code.
  public var kind: Kind {
    switch code & 0xFF {
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CORRUPT: .corrupt
    // PROTOCOL: another process stopped for a moment while it held the log.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_FULL: .diskFull
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_PERM, SQLITE_AUTH: .permissionDenied
    case SQLITE_IOERR: .ioFailed
    case SQLITE_TOOBIG: .tooLarge
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_NOMEM: .outOfMemory
    default: .other
    }
  }

  /// A sentence that says what to do.
  public var remedy: String {
    switch kind {
    case .notADatabase: "Check that the path names the right file."
    case .corrupt: "Restore the file from a backup, or fetch it again from its source."
    case .busy: "Another connection holds the file; try again, or allow a longer timeout."
    case .diskFull: "Free space on the disk and try again; nothing was written."
    case .readOnly, .permissionDenied: "Check the permissions of the file and of its folder."
    case .cannotOpen: "Check that the folder exists and may be read and written."
    case .ioFailed: "Check the disk; the system refused to read or write."
    case .tooLarge: "Split the value; it exceeds what one row can hold."
    case .constraint: "The value breaks a rule of the table."
    case .outOfMemory: "Free memory and try again."
    case .other: "See the message."
    }
  }

  init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }
}

extension SQLiteError: CustomStringConvertible {
  /// Code, message, remedy and statement.
  public var description: String {
    "SQLite \(code): \(message). \(remedy)" + (sql.map { " Statement: \($0)" } ?? "")
  }
}
