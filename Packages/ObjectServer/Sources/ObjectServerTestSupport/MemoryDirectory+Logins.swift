public import ObjectServer
public import Permissions
public import Telemetry

/// Logins and API keys.
extension MemoryDirectory {
  /// Stores a login.
  ///
  /// - Returns: false, with nothing stored, when its user does not exist: the user was removed meanwhile.
  public func createLogin(_ login: LoginRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      guard content.users[login.user] != nil else { return false }
      content.logins[login.id] = login
      return true
    }
  }

  /// The login with an id, if it was not ended.
  public func login(_ id: String) throws(ServerError) -> LoginRecord? { content.withLock { $0.logins[id] } }

  /// Ends one login.
  public func endLogin(_ id: String) throws(ServerError) { content.withLock { $0.logins[id] = nil } }

  /// Ends all logins of a user but one.
  ///
  /// - Returns: the ids of those that were ended.
  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> [String] {
    content.withLock { content in
      let ended = content.logins.values.filter { $0.user == user && $0.id != kept }.map(\.id).sorted()
      for id in ended { content.logins[id] = nil }
      return ended
    }
  }

  /// Ends all logins that were made with an API key.
  ///
  /// - Returns: the ids of those that were ended.
  public func endLogins(withKey key: String) throws(ServerError) -> [String] {
    content.withLock { content in
      let ended = content.logins.values.filter { $0.key == key }.map(\.id).sorted()
      for id in ended { content.logins[id] = nil }
      return ended
    }
  }

  /// Removes logins and offers that expired before `time`.
  public func removeExpired(before time: WallTime) throws(ServerError) {
    content.withLock { content in
      content.logins = content.logins.filter { $0.value.expiresAt >= time }
      content.offers = content.offers.filter { $0.value.expiresAt.map { $0 >= time } ?? true }
    }
  }

  /// Stores an API key, replacing one with the same id.
  public func storeAPIKey(_ key: APIKeyRecord) throws(ServerError) { content.withLock { $0.keys[key.id] = key } }

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

  /// Removes an API key; the logins that were made with it stay.
  public func deleteAPIKey(_ id: String) throws(ServerError) { content.withLock { $0.keys[id] = nil } }

  /// Removes all API keys of a user; the logins that were made with them stay.
  ///
  /// - Returns: how many there were.
  public func deleteAPIKeys(of user: UserId) throws(ServerError) -> Int {
    content.withLock { content in
      let ids = content.keys.values.filter { $0.user == user }.map(\.id)
      for id in ids { content.keys[id] = nil }
      return ids.count
    }
  }
}
