public import Permissions
public import Telemetry

extension SQLDirectory {
  /// Stores a login, if its user exists and is not suspended and the proof still holds.
  ///
  /// - Returns: false, with nothing stored, when user or proof went meanwhile.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func createLogin(_ login: LoginRecord, proof: LoginProof) throws(ServerError) -> Bool {
    try write { database in
      guard try database.has(.users, ["id": .text(login.user.rawValue), "disabled": .flag(false)]),
        try Self.holds(proof, in: database)
      else { return false }
      let token = login.refreshToken
      try database.put(
        .logins, .text(login.id), .text(login.user.rawValue), .text(login.app), .text(login.key),
        .integer(login.createdAt.millisecondsSince1970), .integer(login.expiresAt.millisecondsSince1970),
        .text(token?.digest), .text(token?.previousDigest), .text(token?.nonce),
        .integer(token?.rotatedAt?.millisecondsSince1970))
      return true
    }
  }

  private static func holds(_ proof: LoginProof, in database: DirectoryDatabase) throws -> Bool {
    switch proof {
    case .lasting: true
    case .password(let provider, let name, let hash):
      try database.has(.identities, ["provider": .text(provider), "name": .text(name), "password": .text(hash)])
    case .apiKey(let digest): try database.has(.apiKeys, ["digest": .text(digest), "disabled": .flag(false)])
    }
  }

  /// The login with an id, if it was not ended.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func login(_ id: String) throws(ServerError) -> LoginRecord? {
    try read { try $0.rows(.logins, ["id": .text(id)], read: Self.login).first }
  }

  /// The logins of a user that were not ended, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func logins(of user: UserId) throws(ServerError) -> [LoginRecord] {
    try read { try $0.rows(.logins, ["user": .text(user.rawValue)], order: ["created", "id"], read: Self.login) }
  }

  /// Replaces what is kept of a login's refresh token, if it still is `old`, and sets the time at which the login ends.
  ///
  /// - Returns: false, with nothing changed, when it is another or the login has ended.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func replaceRefreshToken(
    _ old: RefreshTokenRecord?, with new: RefreshTokenRecord, of login: String, expiresAt: WallTime
  ) throws(ServerError) -> Bool {
    try write { database in
      let id = DirectoryValue.text(login)
      guard let found = try database.rows(.logins, ["id": id], read: Self.login).first, found.refreshToken == old
      else { return false }
      try database.change(.logins, ["id": id]) { values in
        values[5] = .integer(expiresAt.millisecondsSince1970)
        values[6] = .text(new.digest)
        values[7] = .text(new.previousDigest)
        values[8] = .text(new.nonce)
        values[9] = .integer(new.rotatedAt?.millisecondsSince1970)
      }
      return true
    }
  }

  /// Ends one login.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func endLogin(_ id: String) throws(ServerError) {
    _ = try write { try Self.endLogins(where: .equals("id", .text(id)), in: &$0) }
  }

  /// Ends all logins of a user but one.
  ///
  /// - Returns: how many ended.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> Int {
    try write { try Self.endLogins(where: Self.others(of: user, but: kept), in: &$0) }
  }

  /// Replaces the password hash of an identity, ends the logins of its user but one, and removes the user's API keys: all
  /// at once.
  ///
  /// - Returns: how many API keys were removed.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func setPassword(
    _ hash: String, of identity: IdentityRecord, keepingLogin kept: String?, keepsKeys: Bool
  ) throws(ServerError) -> Int {
    try write { database in
      let changed = try database.change(
        .identities, ["provider": .text(identity.provider), "name": .text(identity.name)]
      ) { $0[3] = .text(hash) }
      guard changed > 0 else { return 0 }
      let user = DirectoryValue.text(identity.user.rawValue)
      let removed = keepsKeys ? 0 : try database.remove(.apiKeys, ["user": user]).count
      _ = try Self.endLogins(where: Self.others(of: identity.user, but: kept), in: &database)
      return removed
    }
  }

  /// Removes logins and offers that expired before `time`.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func removeExpired(before time: WallTime) throws(ServerError) {
    try write { database in
      let expired = DirectoryCondition.less("expires", .integer(time.millisecondsSince1970))
      try database.remove(.logins, where: expired)
      try database.remove(.offers, where: expired)
    }
  }

  /// The logins of a user but one.
  private static func others(of user: UserId, but kept: String?) -> DirectoryCondition {
    .all([.equals("user", .text(user.rawValue)), .differs("id", .text(kept))])
  }

  /// Ends logins by a condition, and tells the feed whose they were.
  ///
  /// - Returns: how many ended.
  static func endLogins(where condition: DirectoryCondition, in database: inout DirectoryDatabase) throws -> Int {
    let users = try database.texts("user", .logins, where: condition)
    let ended = try database.remove(.logins, where: condition).count
    for user in users { try database.note(.user(UserId(user))) }
    return ended
  }

  static func login(_ row: DirectoryRow) -> LoginRecord? {
    let token = row.text(6).map { digest in
      RefreshTokenRecord(
        digest: digest, previousDigest: row.text(7), nonce: row.text(8),
        rotatedAt: row.integer(9).map { WallTime(millisecondsSince1970: $0) })
    }
    return LoginRecord(
      id: row.text(0) ?? "", user: UserId(row.text(1) ?? ""), app: row.text(2) ?? "", key: row.text(3),
      createdAt: WallTime(millisecondsSince1970: row.integer(4) ?? 0),
      expiresAt: WallTime(millisecondsSince1970: row.integer(5) ?? 0), refreshToken: token)
  }
}
