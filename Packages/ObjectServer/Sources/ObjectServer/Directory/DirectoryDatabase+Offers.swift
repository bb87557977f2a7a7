import Permissions
import SQLiteDatabase
import Telemetry

// Offers, whose tokens are encrypted.
extension DirectoryDatabase {
  /// The offers with these values.
  mutating func offers(_ matching: KeyValuePairs<String, DirectoryValue>) throws -> [OfferRecord] {
    let tokens = tokens
    return try rows(.offers, matching) { row in
      guard let digest = row.text(0), case .blob(let hidden) = row.values[6],
        let token = tokens.shown(hidden, digest: digest), let user = row.text(1),
        let path = row.text(2).flatMap({ try? RealmPath($0) }),
        let level = AccessLevel(rawValue: UInt(clamping: row.integer(3) ?? 0))
      else { return nil }
      return OfferRecord(
        token: token, user: UserId(user), path: path, level: level,
        createdAt: WallTime(millisecondsSince1970: row.integer(4) ?? 0),
        expiresAt: row.integer(5).map { WallTime(millisecondsSince1970: $0) })
    }
  }

  /// Changed by layout 9: the digest of an offer's token in place of the token, and the token encrypted.
  ///
  /// Offers are sealed anew, those alone whose seals fit: what is damaged or missing stays so.
  mutating func hideOffers() throws {
    let table = DirectoryTable.offers, old = table.columnsOfLayout6 ?? []
    let select = try statement("SELECT \(old.joined(separator: ", ")), seal FROM offers", [])
    var found: [(values: [DirectoryValue], seal: [UInt8], isWhole: Bool)] = []
    var sum = DirectorySum()
    while try select.step() {
      let (row, seal, isWhole) = seal.open(table.rawValue, select, count: old.count)
      found.append((row.values, seal, isWhole))
      sum.add(seal)
    }
    select.reset()
    let isComplete = try self.sum(of: table) == sum
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
        [.text(OfferTokens.digest(of: token))] + values.dropFirst() + [.blob(try tokens.hidden(token))]
      try statement(
        "INSERT INTO offers(\(table.columns.joined(separator: ", ")), seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        values + [.blob(isWhole ? seal.seal(table.rawValue, values) : bytes)]
      ).run()
    }
    if isComplete { try recount(table) }
  }
}
