import Glibc
import SQLiteDatabase

/// The file of a store that is made from the record of a ``CommitJournal``, while no store has it open.
///
///     let replica = try StoreReplica(path: "cache.realm")
///     try replica.apply(commits, mark: mark)            // all of them, or none
///     replica.version                                   // that of the last commit
///
/// For one thread at a time; the file is closed with the last reference.
public final class StoreReplica {
  private let connection: SQLiteConnection
  private var sides: SideTables
  /// The latest version in the file; 1 for a new one.
  public private(set) var version: UInt64
  /// The mark that the journal gave for the latest version; nil for a new file, and one that no journal wrote.
  public private(set) var mark: [UInt8]?

  /// Opens a file, and makes an empty one, of version 1, when it is missing.
  ///
  /// - Throws: ``StorageError`` with code `notAStore`, `newerFormat`, `corrupt`, `cannotOpen` or `diskFull`.
  public init(path: String) throws {
    (connection, sides, version, mark) = try translating("open the replica '\(path)'") {
      let isMissing = access(path, F_OK) != 0
      if isMissing {
        // A store that begins with version 1 is the same everywhere.
        _ = try Store.open(.file(path: path))
      }
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      connection.setBusyTimeout(.seconds(10))
      guard try connection.integer("PRAGMA application_id") == FileLayout.applicationID else {
        throw StorageError(.notAStore, "'\(path)' is no store. Remove it; it is made again.")
      }
      guard try connection.integer("PRAGMA user_version") == FileLayout.format else {
        throw StorageError(.newerFormat, "'\(path)' has another format. Remove it; it is made again.")
      }
      try FileLayout.configure(connection, isDurable: false)
      var sides = SideTables(connection)
      let version = UInt64(bitPattern: try connection.integer("SELECT version FROM root") ?? 0)
      return (connection, sides, version, try sides.has(.journal) ? Self.mark(connection) : nil)
    }
  }

  /// The mark in the table of a file that has one.
  static func mark(_ connection: SQLiteConnection) throws -> [UInt8]? {
    let select = try connection.prepare("SELECT mark FROM journal WHERE id = 1")
    return try select.step() ? select.bytes(at: 0) : nil
  }

  /// Makes commits, the first of which follows ``version``, with the mark of the last one; all of them or none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when one does not follow or does not fit, with that of SQLite otherwise.
  /// - Complexity: O(their changes).
  public func apply(_ commits: [JournaledCommit], mark: [UInt8]) throws {
    guard let last = commits.last else { return }
    try translating("apply commits") {
      do {
        try connection.transaction {
          for (place, commit) in commits.enumerated() {
            guard commit.version == version + UInt64(place) + 1 else {
              throw StorageError(.corrupt, "Commit \(commit.version) does not follow. Fetch the record again.")
            }
            for table in try SQLiteConnection.tables(inPatch: commit.changes) { try make(table) }
            try connection.apply(commit.changes)
          }
          try WriterConnection.keep(mark, connection, &sides)
        }
      } catch {
        sides.forget()
        throw error
      }
    }
    version = last.version
    self.mark = mark
  }

  /// Keeps another mark for the latest version; none for a file that goes on without a journal.
  ///
  /// - Throws: ``StorageError`` with the code of SQLite.
  public func keep(mark: [UInt8]?) throws {
    try translating("keep a mark") {
      try connection.transaction {
        if let mark {
          try WriterConnection.keep(mark, connection, &sides)
        } else {
          try connection.execute("DROP TABLE IF EXISTS journal")
        }
      }
      sides.forget()
    }
    self.mark = mark
  }

  /// Makes a table of a store when it is missing.
  private func make(_ table: String) throws {
    switch table {
    case "node", "root": return
    case "retired": try sides.make(.retired)
    case "header": try sides.make(.header)
    case _:
      guard table.hasPrefix("log_"), let number = Int64(table.dropFirst(4)), number > 0 else {
        throw StorageError(.corrupt, "The record names a table that no store has. Fetch it again.")
      }
      try connection.execute(LogTableStatement.make(log: number, ifMissing: true))
    }
  }
}
