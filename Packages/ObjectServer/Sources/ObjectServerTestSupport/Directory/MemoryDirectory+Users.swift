public import ObjectServer
public import Permissions

/// Users and identities.
extension MemoryDirectory {
  /// Creates a user with a first identity.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  public func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      let key = IdentityKey(provider: identity.provider, name: identity.name)
      guard content.identities[key] == nil, content.users[user.id] == nil else { return false }
      content.users[user.id] = user
      content.identities[key] = identity
      return true
    }
  }

  /// The user with an id.
  public func user(_ id: UserId) throws(ServerError) -> UserRecord? { lookedUp(content.withLock { $0.users[id] }) }

  /// The identity of a provider's user.
  public func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord? {
    content.withLock { $0.identities[IdentityKey(provider: provider, name: name)] }
  }

  /// All identities of a user.
  public func identities(of user: UserId) throws(ServerError) -> [IdentityRecord] {
    content.withLock { content in
      content.identities.filter { $0.value.user == user }.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Replaces the password hash of an identity, if it still is `old`.
  ///
  /// - Returns: false, with nothing changed, when it is another or there is no such identity.
  public func replacePasswordHash(
    _ old: String, with new: String, provider: String, name: String
  ) throws(ServerError) -> Bool {
    content.withLock { content in
      let key = IdentityKey(provider: provider, name: name)
      guard content.identities[key]?.passwordHash == old else { return false }
      content.identities[key]?.passwordHash = new
      return true
    }
  }

  /// Changes whether a user is an administrator, and whether they are suspended; nil leaves as it is.
  ///
  /// - Returns: false when there is no such user.
  @discardableResult
  public func updateUser(_ id: UserId, isAdministrator: Bool?, isDisabled: Bool?) throws(ServerError) -> Bool {
    change { content in
      guard var user = content.users[id] else { return false }
      user.isAdministrator = isAdministrator ?? user.isAdministrator
      user.isDisabled = isDisabled ?? user.isDisabled
      content.users[id] = user
      content.changes.append(.user(id))
      return true
    }
  }

  /// Removes a user with identities, logins, API keys, grants and offers, at once. Realms stay.
  ///
  /// - Returns: false when there is no such user.
  @discardableResult
  public func deleteUser(_ id: UserId) throws(ServerError) -> Bool {
    change { content in
      content.deleteUser(id)
    }
  }

  /// The identities, without passwords, of a user of this id who was removed.
  public func removedIdentities(of id: UserId) throws(ServerError) -> [IdentityRecord] {
    content.withLock { content in
      (content.removed[id] ?? []).sorted().map { IdentityRecord(provider: $0.provider, name: $0.name, user: id) }
    }
  }

  /// Gives the identity of an unused user to another user, and removes the unused one, all at once.
  ///
  /// - Returns: false, with nothing changed, when its user is in use, it is another, or there is no user `id`.
  public func moveIdentity(_ identity: IdentityRecord, to id: UserId) throws(ServerError) -> Bool {
    change { content in
      let old = identity.user
      guard old != id, content.users[id] != nil, let user = content.users[old], !user.isAdministrator,
        !user.isDisabled, content.identities.values.filter({ $0.user == old }) == [identity],
        !content.realms.contains(where: { $0.owner == old }),
        !content.grants.keys.contains(where: { $0.grantee == .user(old) }),
        !content.keys.values.contains(where: { $0.user == old }),
        !content.offers.values.contains(where: { $0.user == old })
      else { return false }
      _ = content.deleteUser(old)
      var moved = identity
      moved.user = id
      content.identities[IdentityKey(provider: identity.provider, name: identity.name)] = moved
      return true
    }
  }

  /// A page of users in the order of their ids, with their identities.
  public func users(
    matching text: String?, after: UserId?, limit: Int
  ) throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    let found = try users().filter { entry in
      entry.user.id > after ?? "" && (text.map { text in entry.identities.contains { $0.name.contains(text) } } ?? true)
    }
    return Array(found.prefix(max(0, limit)))
  }

  /// The number of users.
  public func userCount() throws(ServerError) -> Int { content.withLock { $0.users.count } }

  /// All users in the order of their ids, with their identities.
  public func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    content.withLock { content in
      content.users.values.sorted { $0.id < $1.id }.map { user in
        let own = content.identities.filter { $0.value.user == user.id }.sorted { $0.key < $1.key }
        return (user, own.map(\.value))
      }
    }
  }

  /// Gives a user another way to log in.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  public func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      let key = IdentityKey(provider: identity.provider, name: identity.name)
      guard content.identities[key] == nil else { return false }
      content.identities[key] = identity
      return true
    }
  }
}

extension MemoryDirectory.Content {
  /// Removes a user with all that is the user's.
  fileprivate mutating func deleteUser(_ id: UserId) -> Bool {
    let isFound = users.removeValue(forKey: id) != nil
    for (key, identity) in identities where identity.user == id { removed[id, default: []].insert(key) }
    identities = identities.filter { $0.value.user != id }
    logins = logins.filter { $0.value.user != id }
    grants = grants.filter { $0.key.grantee != .user(id) }
    withdrawals = withdrawals.filter { $0.key.grantee != .user(id) }
    offers = offers.filter { $0.value.user != id }
    keys = keys.filter { $0.value.user != id }
    changes.append(.user(id))
    return isFound
  }
}
