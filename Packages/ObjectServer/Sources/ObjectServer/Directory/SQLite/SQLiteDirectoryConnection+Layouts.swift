import SQLiteDatabase

// The layouts of an embedded directory. A file of an earlier one is brought to the newest when it is opened.
extension SQLiteDirectoryConnection {
  /// The newest layout that this release knows.
  static let layout: Int64 = 9
  /// Marks the file as ours: "ORLM" in ASCII.
  static let applicationId: Int64 = 0x4F52_4C4D

  /// Makes the tables, or brings those of an earlier layout to the newest, in one transaction.
  func upgrade() throws {
    try transaction {
      // Another process may have been faster.
      let found = try connection.integer("PRAGMA user_version") ?? 0
      guard found < Self.layout else { return }
      if found < 1 { try connection.execute(Self.tables) }
      if found < 2 { try connection.execute(Self.apiKeys) }
      if found < 3 { try connection.execute(Self.renamed) }
      if found < 4 { try connection.execute(Self.usedPaths) }
      if found < 5 { try connection.execute(Self.withdrawals) }
      if found < 6 { try sealAll() }
      if found < 7 { try addChangesAndRotation() }
      if found < 8 { try addRemoved() }
      if found < 9 { try hideOffers() }
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
}
