public import Permissions
import Telemetry

extension SQLDirectory {
  /// Creates a user with a first identity.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool {
    try write { database in
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

  /// The user with an id.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func user(_ id: UserId) throws(ServerError) -> UserRecord? {
    try read { try $0.rows(.users, ["id": .text(id.rawValue)], read: Self.user).first }
  }

  /// The identity of a provider's user.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord? {
    try read {
      try $0.rows(.identities, ["provider": .text(provider), "name": .text(name)], read: Self.identity).first
    }
  }

  /// All identities of a user.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func identities(of user: UserId) throws(ServerError) -> [IdentityRecord] {
    try read { try $0.rows(.identities, ["user": .text(user.rawValue)], read: Self.identity) }
  }

  /// Gives a user another way to log in.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool {
    try write {
      try $0.add(
        .identities, .text(identity.provider), .text(identity.name), .text(identity.user.rawValue),
        .text(identity.passwordHash))
    }
  }

  /// Replaces the password hash of an identity, if it still is `old`.
  ///
  /// - Returns: false, with nothing changed, when it is another or there is no such identity.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func replacePasswordHash(
    _ old: String, with new: String, provider: String, name: String
  ) throws(ServerError) -> Bool {
    try write { database in
      try database.change(
        .identities, ["provider": .text(provider), "name": .text(name), "password": .text(old)]
      ) { $0[3] = .text(new) } == 1
    }
  }

  /// Changes whether a user is an administrator, and whether they are suspended; nil leaves as it is.
  ///
  /// - Returns: false when there is no such user.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func updateUser(_ id: UserId, isAdministrator: Bool?, isDisabled: Bool?) throws(ServerError) -> Bool {
    try write { database in
      let isFound = try database.change(.users, ["id": .text(id.rawValue)]) { values in
        if let isAdministrator { values[1] = .flag(isAdministrator) }
        if let isDisabled { values[2] = .flag(isDisabled) }
      }
      if isFound > 0 { try database.note(.user(id)) }
      return isFound > 0
    }
  }

  /// Removes a user with identities, logins, API keys, grants and offers, at once. Realms stay.
  ///
  /// - Returns: false when there is no such user.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func deleteUser(_ id: UserId) throws(ServerError) -> Bool {
    try write { try Self.deleteUser(id, in: &$0) }
  }

  private static func deleteUser(_ id: UserId, in database: inout DirectoryDatabase) throws -> Bool {
    let user = DirectoryValue.text(id.rawValue)
    // Damaged identities are removed all the same; whose the id was they do not tell.
    for identity in (try? database.rows(.identities, ["user": user], read: Self.identity)) ?? [] {
      try database.put(.removed, user, .text(identity.provider), .text(identity.name))
    }
    let isFound = try !database.remove(.users, ["id": user]).isEmpty
    for table in [.identities, .logins, .offers, .apiKeys] as [DirectoryTable] {
      try database.remove(table, ["user": user])
    }
    for table in [.grants, .withdrawals] as [DirectoryTable] { try database.remove(table, ["grantee": user]) }
    try database.note(.user(id))
    return isFound
  }

  /// The identities, without passwords, of a user of this id who was removed.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  public func removedIdentities(of id: UserId) throws(ServerError) -> [IdentityRecord] {
    try read { database in
      try database.rows(.removed, ["id": .text(id.rawValue)]) { row in
        IdentityRecord(provider: row.text(1) ?? "", name: row.text(2) ?? "", user: id)
      }
    }
  }

  /// Gives the identity of an unused user to another user, and removes the unused one, all at once.
  ///
  /// - Returns: false, with nothing changed, when its user is in use, it is another, or there is no user `id`.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func moveIdentity(_ identity: IdentityRecord, to id: UserId) throws(ServerError) -> Bool {
    try write { database in
      let (old, new) = (DirectoryValue.text(identity.user.rawValue), DirectoryValue.text(id.rawValue))
      guard identity.user != id, try database.has(.users, ["id": new]),
        try database.has(.users, ["id": old, "administrator": .flag(false), "disabled": .flag(false)]),
        try database.rows(.identities, ["user": old], read: Self.identity) == [identity],
        try !database.has(.realms, ["folder": old]), try !database.has(.grants, ["grantee": old]),
        try !database.has(.apiKeys, ["user": old]), try !database.has(.offers, ["user": old])
      else { return false }
      _ = try Self.deleteUser(identity.user, in: &database)
      try database.put(
        .identities, .text(identity.provider), .text(identity.name), new, .text(identity.passwordHash))
      return true
    }
  }

  /// The number of users.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  public func userCount() throws(ServerError) -> Int { try read { try $0.count(.users) } }

  /// All users in the order of their ids, with their identities.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    let (users, identities) = try snapshot { database in
      (try database.rows(.users, read: Self.user), try database.rows(.identities, read: Self.identity))
    }
    let byUser = Dictionary(grouping: identities, by: \.user)
    return users.map { ($0, byUser[$0.id] ?? []) }
  }

  /// A page of users in the order of their ids, with their identities.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  /// - Complexity: O(limit) without `text`, O(users) with it.
  public func users(
    matching text: String?, after: UserId?, limit: Int
  ) throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    try snapshot { database in
      var condition = [DirectoryCondition.greater("id", .text(after?.rawValue ?? ""))]
      if let text { condition.append(.isAmong("id", column: "user", of: .identities, .contains("name", text))) }
      let users = try database.rows(.users, where: .all(condition), page: (max(0, limit), 0), read: Self.user)
      return try users.map { user in
        (user, try database.rows(.identities, ["user": .text(user.id.rawValue)], read: Self.identity))
      }
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
