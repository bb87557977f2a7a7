import Cryptography
import SQLiteDatabase

/// The tables of a store file. ``SideTable`` says which are there only once something was put into them.
///
///     node(id, content)                   immutable; ids are never reused
///     root(1, version, freeable, content, the latest version; `freeable`: versions below may lose nodes;
///          recent)                        `recent`: like `retired`, of the last few versions
///     retired(version, ids)               nodes that `version` replaced, kept for snapshots below it
///     log_<number>(position, gap, content) entries of a log, which the root names; see ``LogStatements``
///     header(name, content)               `sealing`: its fingerprint; `salt`: of the file; none in files in clear
///
/// `PRAGMA application_id` says that the file is ours and `user_version` is the format.
enum FileLayout {
  /// "ORlm".
  static let applicationID: Int64 = 0x4F52_6C6D
  /// 2: the root may hold nodes. 3: leaves of trees may be patches. 4: patches of clusters may lack columns,
  /// files the tables of ``SideTable``. 5: directories may have overlays. 6: the root says
  /// what logs there are; see ``FormerLayout``. Files of earlier formats are read, and become
  /// of this one when they are first written.
  static let format: Int64 = 6
  static let pageSize = 4096
  /// Pages in the write-ahead log after which a commit moves them to the file; see ``Checkpointer``.
  static let logPages = 4000
  /// Bytes of that log.
  static var logSize: Int64 { Int64(logPages) * LogRunway.frame }

  static let schema = """
    CREATE TABLE node(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
    CREATE TABLE root(id INTEGER PRIMARY KEY, version INTEGER, freeable INTEGER, content BLOB NOT NULL,
      recent BLOB NOT NULL);
    """

  /// Makes the empty tables, and the sealing of the new file.
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

  /// Marks a file of an older format as one of this, which releases before must not read.
  static func upgrade(_ connection: SQLiteConnection) throws {
    guard try connection.integer("PRAGMA user_version") ?? 0 < format else { return }
    try connection.execute("PRAGMA user_version = \(format)")
  }

  /// Settings of the connection that writes; those that read need none.
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
