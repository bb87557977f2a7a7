import ChangesetOT
import SQLiteDatabase

/// The database of one journal: the history, the table of client files, and what each client still has to meet.
///
/// Not `Sendable`: ``JournalHistory`` keeps it behind a lock.
struct JournalDatabase {
  struct Entry {
    var version: ServerVersion
    var author: FileIdent
    var authorVersion: ClientVersion
    var timestamp: OriginTimestamp
    var bytes: [UInt8]

    var origin: ChangesetOrigin { ChangesetOrigin(timestamp: timestamp, file: author) }
  }

  struct File {
    var salt: Int64
    var upload: UploadCursor
    var locked: ServerVersion
    var isRetired = false
  }

  let connection: SQLiteConnection
  private var statements: StatementCache<String>
  private var checkpointer = Checkpointer(limit: 1000)
  private let path: String
  private(set) var salt: Int64 = 0
  var current = ServerVersion.zero

  init(path: String, isDurable: Bool, salt newSalt: Int64) throws {
    self.path = path
    connection = try SQLiteConnection(path: path)
    statements = StatementCache(connection)
    connection.setBusyTimeout(.seconds(10))
    _ = try connection.text("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
    try connection.execute(Self.tables)
    try connection.execute("INSERT OR IGNORE INTO meta(id, salt) VALUES (0, \(newSalt))")
    salt = try connection.integer("SELECT salt FROM meta WHERE id = 0") ?? 0
    try reload()
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS meta(id INTEGER PRIMARY KEY, salt INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS entry(
      version INTEGER PRIMARY KEY, author INTEGER NOT NULL, author_version INTEGER NOT NULL, timestamp INTEGER NOT NULL,
      bytes BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS file(
      ident INTEGER PRIMARY KEY, salt INTEGER NOT NULL, upload_client INTEGER NOT NULL, upload_server INTEGER NOT NULL,
      locked INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS reciprocal(
      ident INTEGER NOT NULL, version INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(ident, version)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS retired(ident INTEGER PRIMARY KEY);
    """

  /// Reads the end of the history again, after a transaction that vanished.
  mutating func reload() throws {
    current = ServerVersion(UInt64(clamping: try connection.integer("SELECT max(version) FROM entry") ?? 0))
  }

  mutating func allocateFile(salt: Int64) throws -> FileIdent {
    let ident = max(2, (try connection.integer("SELECT max(ident) FROM file") ?? 1) + 1)
    try run(
      "INSERT INTO file(ident, salt, upload_client, upload_server, locked) VALUES (?, ?, 0, 0, 0)", [ident, salt])
    return FileIdent(UInt64(ident))
  }

  mutating func file(_ ident: FileIdent) throws -> File? {
    let statement = try prepared(
      """
      SELECT salt, upload_client, upload_server, locked, EXISTS(SELECT 1 FROM retired WHERE retired.ident = file.ident)
      FROM file WHERE ident = ?
      """, [Int64(clamping: ident.rawValue)])
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return File(
      salt: statement.int(at: 0),
      upload: UploadCursor(
        client: ClientVersion(UInt64(clamping: statement.int(at: 1))),
        server: ServerVersion(UInt64(clamping: statement.int(at: 2)))),
      locked: ServerVersion(UInt64(clamping: statement.int(at: 3))), isRetired: statement.int(at: 4) != 0)
  }

  mutating func retire(_ ident: FileIdent) throws {
    try run("INSERT OR IGNORE INTO retired(ident) VALUES (?)", [Int64(clamping: ident.rawValue)])
  }

  mutating func store(_ file: File, ident: FileIdent) throws {
    try run(
      "UPDATE file SET upload_client = ?, upload_server = ?, locked = ? WHERE ident = ?",
      [
        Int64(clamping: file.upload.client.rawValue), Int64(clamping: file.upload.server.rawValue),
        Int64(clamping: file.locked.rawValue),
        Int64(clamping: ident.rawValue),
      ])
    try run(
      "DELETE FROM reciprocal WHERE ident = ? AND version <= ?",
      [Int64(clamping: ident.rawValue), Int64(clamping: file.upload.server.rawValue)])
  }

  /// Entries after a version, in order, until `body` answers false.
  mutating func entries(after version: ServerVersion, _ body: (Entry) throws -> Bool) throws {
    let statement = try prepared(
      "SELECT version, author, author_version, timestamp, bytes FROM entry WHERE version > ? ORDER BY version",
      [Int64(clamping: version.rawValue)])
    defer { statement.reset() }
    while try statement.step() {
      let entry = Entry(
        version: ServerVersion(UInt64(clamping: statement.int(at: 0))),
        author: FileIdent(UInt64(clamping: statement.int(at: 1))),
        authorVersion: ClientVersion(UInt64(clamping: statement.int(at: 2))),
        timestamp: OriginTimestamp(UInt64(clamping: statement.int(at: 3))), bytes: statement.bytes(at: 4))
      guard try body(entry) else { return }
    }
  }

  mutating func append(_ entry: Entry) throws {
    let statement = try prepared(
      "INSERT INTO entry(version, author, author_version, timestamp, bytes) VALUES (?, ?, ?, ?, ?)",
      [
        Int64(clamping: entry.version.rawValue), Int64(clamping: entry.author.rawValue),
        Int64(clamping: entry.authorVersion.rawValue),
        Int64(clamping: entry.timestamp.rawValue),
      ])
    try statement.bind(5, entry.bytes).run()
    current = entry.version
  }

  mutating func reciprocal(of ident: FileIdent, after version: ServerVersion) throws -> [ServerVersion: [UInt8]] {
    let statement = try prepared(
      "SELECT version, bytes FROM reciprocal WHERE ident = ? AND version > ?",
      [Int64(clamping: ident.rawValue), Int64(clamping: version.rawValue)])
    defer { statement.reset() }
    var found: [ServerVersion: [UInt8]] = [:]
    while try statement.step() { found[ServerVersion(UInt64(clamping: statement.int(at: 0)))] = statement.bytes(at: 1) }
    return found
  }

  mutating func storeReciprocal(_ bytes: [UInt8], of ident: FileIdent, at version: ServerVersion) throws {
    let statement = try prepared(
      "INSERT OR REPLACE INTO reciprocal(ident, version, bytes) VALUES (?, ?, ?)",
      [Int64(clamping: ident.rawValue), Int64(clamping: version.rawValue)])
    try statement.bind(3, bytes).run()
  }

  mutating func run(_ sql: String, _ values: [Int64] = []) throws {
    try prepared(sql, values).run()
    guard !connection.isInTransaction else { return }
    let path = path
    checkpointer.runIfDue(connection) { try $0(try SQLiteConnection(path: path, mode: .readWrite)) }
  }

  private mutating func prepared(_ sql: String, _ values: [Int64]) throws -> SQLiteStatement {
    let statement = try statements.statement(sql)
    for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
    return statement
  }
}
