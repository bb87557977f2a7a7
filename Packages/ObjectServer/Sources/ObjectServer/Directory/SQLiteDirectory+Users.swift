public import Permissions
public import Telemetry

extension SQLiteDirectory {
  /// Creates a user with a first identity.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        let (provider, name) = (identity.provider, identity.name)
        let isNameTaken = try database.has(.identities, ["provider": .text(provider), "name": .text(name)])
        let isIdTaken = try database.has(.users, ["id": .text(user.id.rawValue)])
        guard !isNameTaken, !isIdTaken else { return false }
        try database.put(
          .users, .text(user.id.rawValue), .flag(user.isAdministrator), .flag(user.isDisabled),
          .integer(user.createdAt.millisecondsSince1970))
        try database.put(
          .identities, .text(provider), .text(name), .text(identity.user.rawValue), .text(identity.passwordHash))
        return true
      }
    }
  }

  /// The user with an id.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func user(_ id: UserId) throws(ServerError) -> UserRecord? {
    try use { try $0.rows(.users, ["id": .text(id.rawValue)], read: Self.user).first }
  }

  /// The identity of a provider's user.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord? {
    try use {
      try $0.rows(.identities, ["provider": .text(provider), "name": .text(name)], read: Self.identity).first
    }
  }

  /// All identities of a user.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func identities(of user: UserId) throws(ServerError) -> [IdentityRecord] {
    try use { try $0.rows(.identities, ["user": .text(user.rawValue)], read: Self.identity) }
  }

  /// Gives a user another way to log in.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool {
    try use {
      try $0.add(
        .identities, .text(identity.provider), .text(identity.name), .text(identity.user.rawValue),
        .text(identity.passwordHash))
    }
  }

  /// Replaces the password hash of an identity. Does nothing when there is no such identity.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func setPasswordHash(_ hash: String, provider: String, name: String) throws(ServerError) {
    _ = try use { database in
      try database.change(.identities, ["provider": .text(provider), "name": .text(name)]) { $0[3] = .text(hash) }
    }
  }

  /// Replaces the password hash of an identity, if it still is `old`.
  ///
  /// - Returns: false, with nothing changed, when it is another or there is no such identity.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func replacePasswordHash(
    _ old: String, with new: String, provider: String, name: String
  ) throws(ServerError) -> Bool {
    try use { database in
      try database.change(
        .identities, ["provider": .text(provider), "name": .text(name), "password": .text(old)]
      ) { $0[3] = .text(new) } == 1
    }
  }

  /// Changes whether a user is an administrator, and whether they are shut out.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func updateUser(_ user: UserRecord) throws(ServerError) {
    _ = try use { database in
      try database.change(.users, ["id": .text(user.id.rawValue)]) { values in
        values[1] = .flag(user.isAdministrator)
        values[2] = .flag(user.isDisabled)
      }
    }
  }

  /// Removes a user with identities, logins, grants and offers, at once. Realms stay.
  ///
  /// - Returns: the ids of the logins that ended with it.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func deleteUser(_ id: UserId) throws(ServerError) -> [String] {
    try use { database in
      try database.transaction { database in
        let user = DirectoryValue.text(id.rawValue)
        let ended = try database.remove(.logins, ["user": user])
        try database.remove(.users, ["id": user])
        for table in [.identities, .offers, .apiKeys] as [DirectoryTable] { try database.remove(table, ["user": user]) }
        for table in [.grants, .withdrawals] as [DirectoryTable] { try database.remove(table, ["grantee": user]) }
        return ended
      }
    }
  }

  /// All users in the order of their ids, with their identities.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    let (users, identities) = try use { database in
      (try database.rows(.users, read: Self.user), try database.rows(.identities, read: Self.identity))
    }
    let byUser = Dictionary(grouping: identities, by: \.user)
    return users.map { ($0, byUser[$0.id] ?? []) }
  }

  /// Stores a login.
  ///
  /// - Returns: false, with nothing stored, when its user does not exist: the user was removed meanwhile.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func createLogin(_ login: LoginRecord) throws(ServerError) -> Bool {
    try use { database in
      try database.transaction { database in
        guard try database.has(.users, ["id": .text(login.user.rawValue)]) else { return false }
        try database.put(
          .logins, .text(login.id), .text(login.user.rawValue), .text(login.app), .text(login.key),
          .integer(login.createdAt.millisecondsSince1970), .integer(login.expiresAt.millisecondsSince1970))
        return true
      }
    }
  }

  /// The login with an id, if it was not ended.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func login(_ id: String) throws(ServerError) -> LoginRecord? {
    try use { database in
      try database.rows(.logins, ["id": .text(id)]) { row in
        LoginRecord(
          id: row.text(0) ?? "", user: UserId(row.text(1) ?? ""), app: row.text(2) ?? "", key: row.text(3),
          createdAt: WallTime(millisecondsSince1970: row.integer(4) ?? 0),
          expiresAt: WallTime(millisecondsSince1970: row.integer(5) ?? 0))
      }.first
    }
  }

  /// Ends one login.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func endLogin(_ id: String) throws(ServerError) {
    _ = try use { try $0.remove(.logins, ["id": .text(id)]) }
  }

  /// Ends all logins of a user but one.
  ///
  /// - Returns: the ids of those that were ended.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> [String] {
    try use {
      try $0.remove(.logins, where: "user IS ? AND id IS NOT ?", [.text(user.rawValue), .text(kept)])
    }
  }

  /// Ends all logins that were made with an API key.
  ///
  /// - Returns: the ids of those that were ended.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func endLogins(withKey key: String) throws(ServerError) -> [String] {
    try use { try $0.remove(.logins, ["key": .text(key)]) }
  }

  /// Removes logins and offers that expired before `time`.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func removeExpired(before time: WallTime) throws(ServerError) {
    try use { database in
      let time = [DirectoryValue.integer(time.millisecondsSince1970)]
      try database.remove(.logins, where: "expires < ?", time)
      try database.remove(.offers, where: "expires < ?", time)
    }
  }

  private static func user(_ row: DirectoryRow) -> UserRecord? {
    UserRecord(
      id: UserId(row.text(0) ?? ""), isAdministrator: row.integer(1) != 0, isDisabled: row.integer(2) != 0,
      createdAt: WallTime(millisecondsSince1970: row.integer(3) ?? 0))
  }

  private static func identity(_ row: DirectoryRow) -> IdentityRecord? {
    IdentityRecord(
      provider: row.text(0) ?? "", name: row.text(1) ?? "", user: UserId(row.text(2) ?? ""), passwordHash: row.text(3))
  }
}
