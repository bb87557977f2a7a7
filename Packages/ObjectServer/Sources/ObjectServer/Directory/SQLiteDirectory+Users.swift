public import Permissions
import SQLiteDatabase
public import Telemetry

extension SQLiteDirectory {
  public func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let isTaken = try !database.rows(
          "SELECT 1 FROM identities WHERE provider = ? AND name = ? UNION ALL SELECT 1 FROM users WHERE id = ?",
          .text(identity.provider), .text(identity.name), .text(user.id.rawValue), read: { $0.int(at: 0) }
        ).isEmpty
        guard !isTaken else { return false }
        try database.run(
          "INSERT INTO users(id, administrator, disabled, created) VALUES (?, ?, ?, ?)", .text(user.id.rawValue),
          .integer(user.isAdministrator ? 1 : 0), .integer(user.isDisabled ? 1 : 0),
          .integer(user.createdAt.millisecondsSince1970))
        try database.run(
          "INSERT INTO identities(provider, name, user, password) VALUES (?, ?, ?, ?)", .text(identity.provider),
          .text(identity.name), .text(identity.user.rawValue), .text(identity.passwordHash))
        return true
      }
    }
  }

  public func user(_ id: UserId) throws(ServerError) -> UserRecord? {
    try use { database in
      try database.rows(
        "SELECT id, administrator, disabled, created FROM users WHERE id = ?", .text(id.rawValue), read: Self.user
      ).first
    }
  }

  public func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord? {
    try use { database in
      try database.rows(
        "SELECT provider, name, user, password FROM identities WHERE provider = ? AND name = ?", .text(provider),
        .text(name), read: Self.identity
      ).first
    }
  }

  public func identities(of user: UserId) throws(ServerError) -> [IdentityRecord] {
    try use { database in
      try database.rows(
        "SELECT provider, name, user, password FROM identities WHERE user = ? ORDER BY provider, name",
        .text(user.rawValue), read: Self.identity)
    }
  }

  public func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool {
    try use { database in
      try database.run(
        "INSERT OR IGNORE INTO identities(provider, name, user, password) VALUES (?, ?, ?, ?)",
        .text(identity.provider),
        .text(identity.name), .text(identity.user.rawValue), .text(identity.passwordHash)) == 1
    }
  }

  public func setPasswordHash(_ hash: String, provider: String, name: String) throws(ServerError) {
    _ = try use { database in
      try database.run(
        "UPDATE identities SET password = ? WHERE provider = ? AND name = ?", .text(hash), .text(provider), .text(name))
    }
  }

  public func replacePasswordHash(
    _ old: String, with new: String, provider: String, name: String
  ) throws(ServerError) -> Bool {
    try use { database in
      try database.run(
        "UPDATE identities SET password = ? WHERE provider = ? AND name = ? AND password = ?", .text(new),
        .text(provider), .text(name), .text(old)) == 1
    }
  }

  public func updateUser(_ user: UserRecord) throws(ServerError) {
    _ = try use { database in
      try database.run(
        "UPDATE users SET administrator = ?, disabled = ? WHERE id = ?", .integer(user.isAdministrator ? 1 : 0),
        .integer(user.isDisabled ? 1 : 0), .text(user.id.rawValue))
    }
  }

  public func deleteUser(_ id: UserId) throws(ServerError) -> [String] {
    try use { database in
      try database.transaction { database in
        let ended = try database.rows(
          "SELECT id FROM logins WHERE user = ? ORDER BY id", .text(id.rawValue), read: { $0.text(at: 0) })
        for sql in [
          "DELETE FROM users WHERE id = ?", "DELETE FROM identities WHERE user = ?",
          "DELETE FROM logins WHERE user = ?",
          "DELETE FROM grants WHERE grantee = ?", "DELETE FROM offers WHERE user = ?",
          "DELETE FROM api_keys WHERE user = ?", "DELETE FROM withdrawals WHERE grantee = ?",
        ] {
          try database.run(sql, .text(id.rawValue))
        }
        return ended
      }
    }
  }

  public func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    let (users, identities) = try use { database in
      (
        try database.rows("SELECT id, administrator, disabled, created FROM users ORDER BY id", read: Self.user),
        try database.rows(
          "SELECT provider, name, user, password FROM identities ORDER BY provider, name", read: Self.identity)
      )
    }
    let byUser = Dictionary(grouping: identities, by: \.user)
    return users.map { ($0, byUser[$0.id] ?? []) }
  }

  public func createLogin(_ login: LoginRecord) throws(ServerError) -> Bool {
    try use { database in
      try database.run(
        "INSERT OR REPLACE INTO logins(id, user, app, key, created, expires) SELECT ?, id, ?, ?, ?, ? FROM users WHERE id = ?",
        .text(login.id), .text(login.app), .text(login.key), .integer(login.createdAt.millisecondsSince1970),
        .integer(login.expiresAt.millisecondsSince1970), .text(login.user.rawValue)) > 0
    }
  }

  public func login(_ id: String) throws(ServerError) -> LoginRecord? {
    try use { database in
      try database.rows("SELECT id, user, app, key, created, expires FROM logins WHERE id = ?", .text(id)) { row in
        LoginRecord(
          id: row.text(at: 0) ?? "", user: UserId(row.text(at: 1) ?? ""), app: row.text(at: 2) ?? "",
          key: row.text(at: 3), createdAt: WallTime(millisecondsSince1970: row.int(at: 4)),
          expiresAt: WallTime(millisecondsSince1970: row.int(at: 5)))
      }.first
    }
  }

  public func endLogin(_ id: String) throws(ServerError) {
    _ = try use { database in try database.run("DELETE FROM logins WHERE id = ?", .text(id)) }
  }

  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> [String] {
    try use { database in
      try database.transaction { database in
        let ended = try database.rows(
          "SELECT id FROM logins WHERE user = ? AND id IS NOT ? ORDER BY id", .text(user.rawValue), .text(kept),
          read: { $0.text(at: 0) })
        try database.run("DELETE FROM logins WHERE user = ? AND id IS NOT ?", .text(user.rawValue), .text(kept))
        return ended
      }
    }
  }

  public func endLogins(withKey key: String) throws(ServerError) -> [String] {
    try use { database in
      try database.transaction { database in
        let ended = try database.rows(
          "SELECT id FROM logins WHERE key = ? ORDER BY id", .text(key), read: { $0.text(at: 0) })
        try database.run("DELETE FROM logins WHERE key = ?", .text(key))
        return ended
      }
    }
  }

  public func removeExpired(before time: WallTime) throws(ServerError) {
    try use { database in
      try database.run("DELETE FROM logins WHERE expires < ?", .integer(time.millisecondsSince1970))
      try database.run("DELETE FROM offers WHERE expires < ?", .integer(time.millisecondsSince1970))
    }
  }

  private static func user(_ row: SQLiteStatement) -> UserRecord? {
    UserRecord(
      id: UserId(row.text(at: 0) ?? ""), isAdministrator: row.int(at: 1) != 0, isDisabled: row.int(at: 2) != 0,
      createdAt: WallTime(millisecondsSince1970: row.int(at: 3)))
  }

  private static func identity(_ row: SQLiteStatement) -> IdentityRecord? {
    IdentityRecord(
      provider: row.text(at: 0) ?? "", name: row.text(at: 1) ?? "", user: UserId(row.text(at: 2) ?? ""),
      passwordHash: row.text(at: 3))
  }
}
