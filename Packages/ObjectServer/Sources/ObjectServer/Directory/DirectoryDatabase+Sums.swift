import SQLiteDatabase

// The sums of seals, and looking through everything.
extension DirectoryDatabase {
  /// Added by layout 6: a seal in every row, and the sums of the seals.
  mutating func sealAll() throws {
    let tables = DirectoryTable.allCases.compactMap { table in table.columnsOfLayout6.map { (table, $0) } }
    for (table, _) in tables {
      try connection.execute("ALTER TABLE \(table.rawValue) ADD COLUMN seal BLOB")
    }
    try connection.execute(
      "CREATE TABLE seals(name TEXT PRIMARY KEY, count INTEGER NOT NULL, sum BLOB NOT NULL, seal BLOB) WITHOUT ROWID")
    for (table, columns) in tables {
      let select = try statement("SELECT \(columns.joined(separator: ", ")), seal FROM \(table.rawValue)", [])
      var rows: [DirectoryRow] = []
      while try select.step() { rows.append(seal.open(table.rawValue, select, count: columns.count).row) }
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
      try write(sum, of: table)
    }
  }

  /// Added by layout 7: the feed of changes, and what is kept of the refresh token of a login.
  ///
  /// Logins are sealed anew with their new columns, those alone whose seals fit: what is damaged stays so.
  mutating func addChangesAndRotation() throws {
    try connection.execute(
      """
      CREATE TABLE changes(number INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, seal BLOB);
      ALTER TABLE logins ADD COLUMN digest TEXT;
      ALTER TABLE logins ADD COLUMN previous TEXT;
      ALTER TABLE logins ADD COLUMN nonce TEXT;
      ALTER TABLE logins ADD COLUMN rotated INTEGER;
      """)
    try write(DirectorySum(), of: .changes)
    let table = DirectoryTable.logins, old = table.columnsOfLayout6 ?? []
    let select = try statement("SELECT \(old.joined(separator: ", ")), seal FROM \(table.rawValue)", [])
    var whole: [[DirectoryValue]] = []
    while try select.step() {
      let (row, _, isWhole) = seal.open(table.rawValue, select, count: old.count)
      if isWhole { whole.append(row.values) }
    }
    select.reset()
    let added = Array(repeating: DirectoryValue.text(nil), count: table.columns.count - old.count)
    for values in whole {
      try statement(
        "UPDATE logins SET seal = ? WHERE id IS ?", [.blob(seal.seal(table.rawValue, values + added)), values[0]]
      ).run()
    }
    if try sum(of: table) != nil { try recount(table) }
  }

  /// Added by layout 8: the identities of users who were removed.
  mutating func addRemoved() throws {
    try connection.execute(
      """
      CREATE TABLE removed(
        id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL, seal BLOB, PRIMARY KEY(id, provider, name)
      ) WITHOUT ROWID
      """)
    try write(DirectorySum(), of: .removed)
  }

  /// Changes the sum of a table. One that is damaged stays so, for ``problems()`` to tell.
  mutating func changeSum(of table: DirectoryTable, _ change: (inout DirectorySum) -> Void) throws {
    guard var sum = try sum(of: table) else { return }
    change(&sum)
    try write(sum, of: table)
  }

  /// Makes the sum of a table anew, of the seals that are there.
  mutating func recount(_ table: DirectoryTable) throws {
    let select = try statement("SELECT seal FROM \(table.rawValue)", [])
    defer { select.reset() }
    var sum = DirectorySum()
    while try select.step() { sum.add(select.bytes(at: 0)) }
    try write(sum, of: table)
  }

  mutating func write(_ sum: DirectorySum, of table: DirectoryTable) throws {
    let values = sum.values(table)
    try statement(
      "INSERT OR REPLACE INTO seals(name, count, sum, seal) VALUES (?, ?, ?, ?)",
      values + [.blob(seal.seal("seals", values))]
    ).run()
  }

  mutating func sum(of table: DirectoryTable) throws -> DirectorySum? {
    let select = try statement("SELECT name, count, sum, seal FROM seals WHERE name = ?", [.text(table.rawValue)])
    defer { select.reset() }
    guard try select.step() else { return nil }
    let (row, _, isWhole) = seal.open("seals", select, count: 3)
    guard isWhole, row.text(0) == table.rawValue else { return nil }
    return DirectorySum(row)
  }

  /// Reads everything.
  ///
  /// - Returns: what is damaged: SQLite's own structure, the layout, records, and tables that lost or regained rows.
  /// - Throws: ``SQLiteError`` when it cannot be read on.
  mutating func problems() throws -> [String] {
    let integrity = try connection.text("PRAGMA integrity_check(1)") ?? ""
    var problems = integrity == "ok" ? [] : ["the directory of users is damaged: \(integrity)"]
    var new = try DirectoryDatabase(path: ":memory:") { _ in DirectoryKey.random() }
    if try schema() != new.schema() {
      problems.append("the tables of the directory of users are not what they should be")
    }
    for table in DirectoryTable.allCases {
      let columns = table.columns.joined(separator: ", ")
      let select = try statement("SELECT \(columns), seal FROM \(table.rawValue)", [])
      defer { select.reset() }
      var found = DirectorySum()
      while try select.step() {
        let (row, bytes, isWhole) = seal.open(table.rawValue, select, count: table.columns.count)
        found.add(bytes)
        if !isWhole { problems.append("\(Self.damage(table, row))") }
      }
      guard let expected = try sum(of: table) else {
        problems.append("the sum of the table \(table.rawValue) is damaged; restore a backup")
        continue
      }
      if found != expected {
        problems.append(
          "the table \(table.rawValue) has \(found.count) records of \(expected.count), or some are older than they "
            + "should be; restore a backup")
      }
    }
    return problems
  }

  private mutating func schema() throws -> [String] {
    let select = try statement("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", [])
    defer { select.reset() }
    var found: [String] = []
    while try select.step() {
      found.append((0..<4).map { select.text(at: $0) ?? "" }.joined(separator: " "))
    }
    return found
  }
}
