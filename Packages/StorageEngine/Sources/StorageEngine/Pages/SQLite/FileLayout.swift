import Cryptography
import SQLiteDatabase

/// The tables of a store file; those of ``SideTable`` exist from their first row on.
///
///     node(id, content)                    immutable; ids are never reused
///     root(1, version, freeable, content,  the latest version; `freeable`: versions below may lose nodes;
///          recent)                         `recent`: like `retired`, of the last few versions
///     retired(version, ids)                nodes that `version` replaced, kept for snapshots below it
///     log_<number>(position, gap, content) entries of a log that the root page names; see ``LogStatements``
///     header(name, content)                `sealing`: its fingerprint; `salt`: of the file; absent in files in clear
///     journal(1, mark)                     the mark that a ``CommitJournal`` gave for the latest version; absent without one
///
/// `PRAGMA application_id` marks the file as a store and `user_version` is the format. See `Docs/FileFormat.md`.
enum FileLayout {
  /// "ORlm".
  static let applicationID: Int64 = 0x4F52_6C6D
  /// The version of the format.
  ///
  ///     2   the root page may hold nodes
  ///     3   leaves of trees may be patches
  ///     4   patches of clusters may lack columns; tables of ``SideTable`` may be absent
  ///     5   cluster maps may have deltas
  ///     6   the root page lists the logs; see ``FormatMigration``
  ///
  /// Files of earlier formats are read, and become files of this one when they are first written.
  static let format: Int64 = 6
  static let pageSize = 4096
  /// Pages in the write-ahead log after which a commit moves them to the file; see ``Checkpointer``.
  static let walPages = 4000
  /// Bytes of a write-ahead log of that many pages.
  static var walSize: Int64 { Int64(walPages) * WALPreallocation.frame }

  static let schema = """
    CREATE TABLE node(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
    CREATE TABLE root(id INTEGER PRIMARY KEY, version INTEGER, freeable INTEGER, content BLOB NOT NULL,
      recent BLOB NOT NULL);
    """

  /// Creates the empty tables, and the sealing of the new file.
  static func create(_ connection: SQLiteConnection, key: (any SealingKey)?) throws -> (any Sealing)? {
    try connection.execute(schema)
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute("PRAGMA user_version = \(format)")
    guard let key else { return nil }
    let salt = try SecureRandom.bytes(count: 16)
    let sealing = try key.sealing(salt: salt)
    var tables = SideTables(connection)
    try tables.make(.header)
    let insert = try connection.prepare("INSERT INTO header(name, content) VALUES (?, ?)")
    try insert.bind(1, "salt").bind(2, salt).run()
    try insert.bind(1, "sealing").bind(2, sealing.fingerprint).run()
    return sealing
  }

  /// Marks a file of an older format as one of this format, which earlier releases refuse.
  static func upgrade(_ connection: SQLiteConnection) throws {
    guard try connection.integer("PRAGMA user_version") ?? 0 < format else { return }
    try connection.execute("PRAGMA user_version = \(format)")
  }

  /// Configures the connection that writes; connections that read need no settings.
  static func configure(_ connection: SQLiteConnection, isDurable: Bool) throws {
    try connection.execute(
      """
      PRAGMA secure_delete = OFF;
      PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
      PRAGMA cache_size = -4096;
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
      """)
  }
}
