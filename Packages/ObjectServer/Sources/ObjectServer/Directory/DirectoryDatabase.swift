import SQLiteDatabase

/// The database of a directory: its tables, and statements that are compiled once.
///
/// Not `Sendable`: ``SQLiteDirectory`` keeps it behind a lock.
struct DirectoryDatabase {
  let connection: SQLiteConnection
  var statements: StatementCache
  private var checkpointer = Checkpointer(limit: 1000)
  private let path: String
  let seal: DirectorySeal
  let tokens: OfferTokens
  /// Whether a change was added to the feed since this was last set to false.
  var hasNoted = false

  /// The newest layout that this release knows.
  static let layout: Int64 = 9
  /// Marks the file as ours: "ORLM" in ASCII.
  static let applicationId: Int64 = 0x4F52_4C4D

  /// - Parameter key: the key of the seals, told whether there are seals already.
  init(path: String, key: @Sendable (_ isSealed: Bool) throws(ServerError) -> [UInt8]) throws {
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
    let key = try key(found >= 6)
    seal = try DirectorySeal(key: key)
    tokens = try OfferTokens(key: key)
    guard found < Self.layout else { return }
    try transaction { database in
      let connection = database.connection
      // Another process may have been faster.
      let found = try connection.integer("PRAGMA user_version") ?? 0
      guard found < Self.layout else { return }
      if found < 1 { try connection.execute(Self.tables) }
      if found < 2 { try connection.execute(Self.apiKeys) }
      if found < 3 { try connection.execute(Self.renamed) }
      if found < 4 { try connection.execute(Self.usedPaths) }
      if found < 5 { try connection.execute(Self.withdrawals) }
      if found < 6 { try database.sealAll() }
      if found < 7 { try database.addChangesAndRotation() }
      if found < 8 { try database.addRemoved() }
      if found < 9 { try database.hideOffers() }
      try connection.execute("PRAGMA application_id = \(Self.applicationId)")
      try connection.execute("PRAGMA user_version = \(Self.layout)")
    }
  }

  private static let tables = """
    CREATE TABLE users(
      id TEXT PRIMARY KEY, administrator INTEGER NOT NULL, disabled INTEGER NOT NULL, created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE identities(
      provider TEXT NOT NULL, name TEXT NOT NULL, user TEXT NOT NULL, password TEXT, PRIMARY KEY(provider, name)
    ) WITHOUT ROWID;
    CREATE INDEX identities_by_user ON identities(user);
    CREATE TABLE logins(
      id TEXT PRIMARY KEY, user TEXT NOT NULL, app TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX logins_by_user ON logins(user);
    CREATE TABLE realms(path TEXT PRIMARY KEY, folder TEXT, creator TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX realms_by_folder ON realms(folder);
    CREATE TABLE grants(
      path TEXT NOT NULL, grantee TEXT NOT NULL, level INTEGER NOT NULL, updated INTEGER NOT NULL,
      PRIMARY KEY(path, grantee)
    ) WITHOUT ROWID;
    CREATE INDEX grants_by_grantee ON grants(grantee);
    CREATE TABLE offers(
      token TEXT PRIMARY KEY, user TEXT NOT NULL, path TEXT NOT NULL, level INTEGER NOT NULL, created INTEGER NOT NULL,
      expires INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX offers_by_user ON offers(user);
    """

  /// Added by layout 2.
  private static let apiKeys = """
    CREATE TABLE api_keys(
      id TEXT PRIMARY KEY, user TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, disabled INTEGER NOT NULL,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX api_keys_by_user ON api_keys(user);
    """

  /// Added by layout 3.
  private static let renamed = "CREATE TABLE renamed(path TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID"

  /// Added by layout 4: paths at which there is a realm or ever was one. Devices may hold what its file gave out.
  private static let usedPaths = """
    CREATE TABLE used_paths(path TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT OR IGNORE INTO used_paths(path) SELECT path FROM realms UNION SELECT path FROM renamed;
    """

  /// Added by layout 5: the key that a login was made with, and who lost a grant when.
  private static let withdrawals = """
    ALTER TABLE logins ADD COLUMN key TEXT;
    CREATE INDEX logins_by_key ON logins(key) WHERE key IS NOT NULL;
    CREATE TABLE withdrawals(
      path TEXT NOT NULL, grantee TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(path, grantee)
    ) WITHOUT ROWID;
    """

  /// Runs `body` in one transaction; in the one that runs already, if there is one.
  mutating func transaction<Value>(_ body: (inout DirectoryDatabase) throws -> Value) throws -> Value {
    let connection = connection
    guard !connection.isInTransaction else { return try body(&self) }
    let value = try connection.transaction { try body(&self) }
    let path = path
    checkpointer.runIfDue(connection) { try $0(try SQLiteConnection(path: path, mode: .readWrite)) }
    return value
  }
}
