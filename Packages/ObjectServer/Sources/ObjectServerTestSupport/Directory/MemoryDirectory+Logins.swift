public import ObjectServer
public import Permissions
public import Telemetry

/// Logins and API keys.
extension MemoryDirectory {
  /// Stores a login, if its user exists and is not suspended and the proof still holds.
  ///
  /// - Returns: false, with nothing stored, when user or proof went meanwhile.
  @discardableResult
  public func createLogin(_ login: LoginRecord, proof: LoginProof) throws(ServerError) -> Bool {
    content.withLock { content in
      let holds =
        switch proof {
        case .lasting: true
        case .password(let provider, let name, let hash):
          content.identities[IdentityKey(provider: provider, name: name)]?.passwordHash == hash
        case .apiKey(let digest): content.keys.values.contains { $0.digest == digest && !$0.isDisabled }
        }
      guard holds, content.users[login.user]?.isDisabled == false else { return false }
      content.logins[login.id] = login
      return true
    }
  }

  /// The login with an id, if it was not ended.
  public func login(_ id: String) throws(ServerError) -> LoginRecord? { content.withLock { $0.logins[id] } }

  /// The logins of a user that were not ended, oldest first.
  public func logins(of user: UserId) throws(ServerError) -> [LoginRecord] {
    content.withLock { content in
      content.logins.values.filter { $0.user == user }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
  }

  /// Replaces what is kept of a login's refresh token, if it still is `old`, and sets the time at which the login ends.
  ///
  /// - Returns: false, with nothing changed, when it is another or the login has ended.
  public func replaceRefreshToken(
    _ old: RefreshTokenRecord?, with new: RefreshTokenRecord, of login: String, expiresAt: WallTime
  ) throws(ServerError) -> Bool {
    content.withLock { content in
      guard let found = content.logins[login], found.refreshToken == old else { return false }
      content.logins[login]?.refreshToken = new
      content.logins[login]?.expiresAt = expiresAt
      return true
    }
  }

  /// Ends one login.
  public func endLogin(_ id: String) throws(ServerError) { _ = change { Self.end(&$0) { $0.id == id } } }

  /// Ends all logins of a user but one.
  ///
  /// - Returns: how many ended.
  @discardableResult
  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> Int {
    change { Self.end(&$0) { $0.user == user && $0.id != kept } }
  }

  private static func end(_ content: inout Content, _ condition: (LoginRecord) -> Bool) -> Int {
    let ended = content.logins.values.filter(condition)
    for login in ended { content.logins[login.id] = nil }
    content.changes += Set(ended.map(\.user)).sorted().map { .user($0) }
    return ended.count
  }

  /// Replaces the password hash of an identity, ends the logins of its user but one, and removes the user's API keys.
  ///
  /// - Returns: how many API keys were removed.
  @discardableResult
  public func setPassword(
    _ hash: String, of identity: IdentityRecord, keepingLogin kept: String?, keepsKeys: Bool
  ) throws(ServerError) -> Int {
    change { content in
      let key = IdentityKey(provider: identity.provider, name: identity.name)
      guard content.identities[key] != nil else { return 0 }
      content.identities[key]?.passwordHash = hash
      let ids = keepsKeys ? [] : content.keys.values.filter { $0.user == identity.user }.map(\.id)
      for id in ids { content.keys[id] = nil }
      _ = Self.end(&content) { $0.user == identity.user && $0.id != kept }
      return ids.count
    }
  }

  /// Removes logins and offers that expired before `time`.
  public func removeExpired(before time: WallTime) throws(ServerError) {
    content.withLock { content in
      content.logins = content.logins.filter { $0.value.expiresAt >= time }
      content.offers = content.offers.filter { $0.value.expiresAt.map { $0 >= time } ?? true }
    }
  }

  /// Stores a new API key, if the login that asked for it still exists.
  ///
  /// - Returns: false, with nothing stored, when the login has ended.
  @discardableResult
  public func createAPIKey(_ key: APIKeyRecord, by login: String?) throws(ServerError) -> Bool {
    content.withLock { content in
      if let login, content.logins[login]?.user != key.user { return false }
      content.keys[key.id] = key
      return true
    }
  }

  /// Enables or disables an API key; the logins that were made with a disabled one end.
  ///
  /// - Returns: false when there is no such key.
  @discardableResult
  public func setAPIKey(_ id: String, isDisabled: Bool) throws(ServerError) -> Bool {
    change { content in
      let isFound = content.keys[id] != nil
      content.keys[id]?.isDisabled = isDisabled
      if isDisabled { _ = Self.end(&content) { $0.key == id } }
      return isFound
    }
  }

  /// The API keys of a user, oldest first.
  public func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord] {
    content.withLock { content in
      content.keys.values.filter { $0.user == user }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
  }

  /// The API key whose secret has this digest.
  public func apiKey(digest: String) throws(ServerError) -> APIKeyRecord? {
    content.withLock { content in content.keys.values.first { $0.digest == digest } }
  }

  /// Removes an API key, and ends the logins that were made with it.
  ///
  /// - Returns: false when there was no such key.
  @discardableResult
  public func deleteAPIKey(_ id: String) throws(ServerError) -> Bool {
    change { content in
      let isFound = content.keys.removeValue(forKey: id) != nil
      _ = Self.end(&content) { $0.key == id }
      return isFound
    }
  }
}
