public import Permissions
import SQLiteDatabase
public import Telemetry

extension SQLiteDirectory {
  public func facts(of path: RealmPath) throws(ServerError) -> RealmFacts {
    try use { database in
      let exists = try !database.rows(
        "SELECT 1 FROM realms WHERE path = ?", .text(path.description), read: { $0.int(at: 0) }
      ).isEmpty
      let grants = try database.rows(
        "SELECT path, grantee, level, updated FROM grants WHERE path = ? ORDER BY grantee", .text(path.description),
        read: Self.grant)
      return RealmFacts(path: path, exists: exists, grants: grants)
    }
  }

  public func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let text = path.description
        let isAdded =
          try database.run(
            "INSERT OR IGNORE INTO realms(path, folder, creator, created) VALUES (?, ?, ?, ?)", .text(text),
            .text(path.owner?.rawValue), .text(user.rawValue), .integer(time.millisecondsSince1970)) == 1
        guard isAdded else { return false }
        return try database.run("INSERT OR IGNORE INTO used_paths(path) VALUES (?)", .text(text)) == 1
      }
    }
  }

  public func realms(in user: UserId) throws(ServerError) -> [RealmPath] {
    try use { database in
      try database.rows(
        "SELECT path FROM realms WHERE folder = ? ORDER BY path", .text(user.rawValue),
        read: { row in row.text(at: 0).flatMap { try? RealmPath($0) } })
    }
  }

  public func allRealms() throws(ServerError) -> [RealmPath] {
    try use { database in
      try database.rows(
        "SELECT path FROM realms ORDER BY path", read: { row in row.text(at: 0).flatMap { try? RealmPath($0) } })
    }
  }

  public func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let text = path.description
        let isGone = try database.run("DELETE FROM realms WHERE path = ?", .text(text)) == 1
        try database.run("DELETE FROM grants WHERE path = ?", .text(text))
        try database.run("DELETE FROM offers WHERE path = ?", .text(text))
        try database.run("DELETE FROM withdrawals WHERE path = ?", .text(text))
        let wasRenamed =
          try database.run("DELETE FROM renamed WHERE path = ? OR target = ?", .text(text), .text(text)) > 0
        return isGone || wasRenamed
      }
    }
  }

  public func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let (old, new) = (path.description, newPath.description)
        let isFree = try database.rows(
          "SELECT 1 FROM realms WHERE path = ?", .text(new), read: { $0.int(at: 0) }
        ).isEmpty
        guard isFree else { return false }
        let isMoved =
          try database.run(
            "UPDATE realms SET path = ?, folder = ? WHERE path = ?", .text(new), .text(newPath.owner?.rawValue),
            .text(old)) == 1
        guard isMoved else { return false }
        try database.run("INSERT OR IGNORE INTO used_paths(path) VALUES (?)", .text(new))
        try database.run("DELETE FROM grants WHERE path = ?", .text(new))
        try database.run("UPDATE grants SET path = ? WHERE path = ?", .text(new), .text(old))
        try database.run("UPDATE offers SET path = ? WHERE path = ?", .text(new), .text(old))
        try database.run("DELETE FROM withdrawals WHERE path = ?", .text(new))
        try database.run("UPDATE withdrawals SET path = ? WHERE path = ?", .text(new), .text(old))
        try database.run("UPDATE renamed SET target = ? WHERE target = ?", .text(new), .text(old))
        try database.run("INSERT OR REPLACE INTO renamed(path, target) VALUES (?, ?)", .text(old), .text(new))
        try database.run("DELETE FROM renamed WHERE path = ?", .text(new))
        return true
      }
    }
  }

  public func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath? {
    try use { database in
      try database.rows(
        "SELECT target FROM renamed WHERE path = ?", .text(path.description),
        read: { row in row.text(at: 0).flatMap { try? RealmPath($0) } }
      ).first
    }
  }

  public func grants(to user: UserId) throws(ServerError) -> [Grant] {
    try use { database in
      try database.rows(
        "SELECT path, grantee, level, updated FROM grants WHERE grantee = ? ORDER BY path", .text(user.rawValue),
        read: Self.grant)
    }
  }

  public func setGrant(_ grant: Grant) throws(ServerError) {
    let (path, grantee) = (grant.path.description, grant.grantee.description)
    let level = Int64(grant.level.rawValue)
    try use { database in
      try database.transaction { database in
        let before = try database.rows(
          "SELECT level FROM grants WHERE path = ? AND grantee = ?", .text(path), .text(grantee),
          read: { $0.int(at: 0) }
        ).first
        if grant.level == .none || level < before ?? 0 {
          try database.run(
            "INSERT OR REPLACE INTO withdrawals(path, grantee, at) VALUES (?, ?, ?)", .text(path), .text(grantee),
            .integer(grant.updatedAtMilliseconds))
        }
        if grant.level == .none {
          try database.run("DELETE FROM grants WHERE path = ? AND grantee = ?", .text(path), .text(grantee))
        } else {
          try database.run(
            "INSERT OR REPLACE INTO grants(path, grantee, level, updated) VALUES (?, ?, ?, ?)", .text(path),
            .text(grantee), .integer(level), .integer(grant.updatedAtMilliseconds))
        }
      }
    }
  }

  public func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime? {
    try use { database in
      try database.rows(
        "SELECT at FROM withdrawals WHERE path = ? AND grantee = ?", .text(path.description),
        .text(grantee.description), read: { WallTime(millisecondsSince1970: $0.int(at: 0)) }
      ).first
    }
  }

  public func createOffer(_ offer: OfferRecord) throws(ServerError) {
    _ = try use { database in
      try database.run(
        "INSERT OR REPLACE INTO offers(token, user, path, level, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
        .text(offer.token), .text(offer.user.rawValue), .text(offer.path.description),
        .integer(Int64(offer.level.rawValue)), .integer(offer.createdAt.millisecondsSince1970),
        .integer(offer.expiresAt?.millisecondsSince1970))
    }
  }

  public func offer(_ token: String) throws(ServerError) -> OfferRecord? {
    try use { database in
      try database.rows(
        "SELECT token, user, path, level, created, expires FROM offers WHERE token = ?", .text(token), read: Self.offer
      ).first
    }
  }

  public func offers(of user: UserId) throws(ServerError) -> [OfferRecord] {
    try use { database in
      try database.rows(
        "SELECT token, user, path, level, created, expires FROM offers WHERE user = ? ORDER BY created, token",
        .text(user.rawValue), read: Self.offer)
    }
  }

  public func deleteOffer(_ token: String) throws(ServerError) {
    _ = try use { database in try database.run("DELETE FROM offers WHERE token = ?", .text(token)) }
  }

  private static func grant(_ row: SQLiteStatement) -> Grant? {
    guard let path = row.text(at: 0).flatMap({ try? RealmPath($0) }), let grantee = row.text(at: 1),
      let level = AccessLevel(rawValue: UInt(clamping: row.int(at: 2)))
    else { return nil }
    return Grant(path: path, grantee: Grantee(grantee), level: level, updatedAtMilliseconds: row.int(at: 3))
  }

  private static func offer(_ row: SQLiteStatement) -> OfferRecord? {
    guard let token = row.text(at: 0), let user = row.text(at: 1),
      let path = row.text(at: 2).flatMap({ try? RealmPath($0) }),
      let level = AccessLevel(rawValue: UInt(clamping: row.int(at: 3)))
    else { return nil }
    return OfferRecord(
      token: token, user: UserId(user), path: path, level: level,
      createdAt: WallTime(millisecondsSince1970: row.int(at: 4)),
      expiresAt: row.isNull(at: 5) ? nil : WallTime(millisecondsSince1970: row.int(at: 5)))
  }
}
