import SQLiteDatabase

// Layouts that changed what is sealed.
extension SQLiteDirectoryConnection {
  private var database: DirectoryDatabase { DirectoryDatabase(self) }
  private var seal: DirectorySeal { sealer.seal }

  /// Added by layout 6: a seal in every row, and the sums of the seals.
  func sealAll() throws {
    let tables = DirectoryTable.allCases.compactMap { table in table.columnsOfLayout6.map { (table, $0) } }
    for (table, _) in tables {
      try connection.execute("ALTER TABLE \(table.rawValue) ADD COLUMN seal BLOB")
    }
    try connection.execute(
      "CREATE TABLE seals(name TEXT PRIMARY KEY, count INTEGER NOT NULL, sum BLOB NOT NULL, seal BLOB) WITHOUT ROWID")
    for (table, columns) in tables {
      let select = try statement("SELECT \(columns.joined(separator: ", ")), seal FROM \(table.rawValue)", [])
      var rows: [DirectoryRow] = []
      while try select.step() { rows.append(seal.open(table.rawValue, Self.cells(select, columns.count + 1)).row) }
      select.reset()
      var sum = DirectorySum()
      let key = columns.prefix(table.keyCount).map { "\($0) IS ?" }.joined(separator: " AND ")
      for row in rows {
        let bytes = seal.seal(table.rawValue, row.values)
        try statement(
          "UPDATE \(table.rawValue) SET seal = ? WHERE \(key)", [.blob(bytes)] + row.values.prefix(table.keyCount)
        ).run()
        sum.add(bytes)
      }
      try database.write(sum, of: table)
    }
  }

  /// Added by layout 7: the feed of changes, and what is kept of the refresh token of a login.
  ///
  /// Logins are sealed anew with their new columns, those alone whose seals fit: what is damaged stays so.
  func addChangesAndRotation() throws {
    try connection.execute(
      """
      CREATE TABLE changes(number INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, seal BLOB);
      ALTER TABLE logins ADD COLUMN digest TEXT;
      ALTER TABLE logins ADD COLUMN previous TEXT;
      ALTER TABLE logins ADD COLUMN nonce TEXT;
      ALTER TABLE logins ADD COLUMN rotated INTEGER;
      """)
    try database.write(DirectorySum(), of: .changes)
    let table = DirectoryTable.logins, old = table.columnsOfLayout6 ?? []
    let select = try statement("SELECT \(old.joined(separator: ", ")), seal FROM \(table.rawValue)", [])
    var whole: [[DirectoryValue]] = []
    while try select.step() {
      let (row, _, isWhole) = seal.open(table.rawValue, Self.cells(select, old.count + 1))
      if isWhole { whole.append(row.values) }
    }
    select.reset()
    let added = Array(repeating: DirectoryValue.text(nil), count: table.columns.count - old.count)
    for values in whole {
      try statement(
        "UPDATE logins SET seal = ? WHERE id IS ?", [.blob(seal.seal(table.rawValue, values + added)), values[0]]
      ).run()
    }
    if try database.sum(of: table) != nil { try database.recount(table) }
  }

  /// Added by layout 8: the identities of users who were removed.
  func addRemoved() throws {
    try connection.execute(
      """
      CREATE TABLE removed(
        id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL, seal BLOB, PRIMARY KEY(id, provider, name)
      ) WITHOUT ROWID
      """)
    try database.write(DirectorySum(), of: .removed)
  }

  /// Changed by layout 9: the digest of an offer's token in place of the token, and the token encrypted.
  ///
  /// Offers are sealed anew, those alone whose seals fit: what is damaged or missing stays so.
  func hideOffers() throws {
    let table = DirectoryTable.offers, old = table.columnsOfLayout6 ?? []
    let select = try statement("SELECT \(old.joined(separator: ", ")), seal FROM offers", [])
    var found: [(values: [DirectoryValue], seal: [UInt8], isWhole: Bool)] = []
    var sum = DirectorySum()
    while try select.step() {
      let (row, seal, isWhole) = seal.open(table.rawValue, Self.cells(select, old.count + 1))
      found.append((row.values, seal, isWhole))
      sum.add(seal)
    }
    select.reset()
    let isComplete = try database.sum(of: table) == sum
    // Freed pages are overwritten: the tokens are not to be found in the file.
    _ = try connection.text("PRAGMA secure_delete = ON")
    try connection.execute(
      """
      DROP TABLE offers;
      CREATE TABLE offers(
        digest TEXT PRIMARY KEY, user TEXT NOT NULL, path TEXT NOT NULL, level INTEGER NOT NULL, created INTEGER NOT NULL,
        expires INTEGER, token BLOB NOT NULL, seal BLOB
      ) WITHOUT ROWID;
      CREATE INDEX offers_by_user ON offers(user);
      """)
    for (values, bytes, isWhole) in found {
      guard case .text(let token?) = values[0] else { continue }
      let values =
        [.text(OfferTokens.digest(of: token))] + values.dropFirst() + [.blob(try sealer.tokens.hidden(token))]
      try statement(
        "INSERT INTO offers(\(table.columns.joined(separator: ", ")), seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        values + [.blob(isWhole ? seal.seal(table.rawValue, values) : bytes)]
      ).run()
    }
    if isComplete { try database.recount(table) }
  }
}
