public import ObjectServer
public import Permissions
public import Telemetry

/// Logins and API keys.
extension MemoryDirectory {
  public func createLogin(_ login: LoginRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      guard content.users[login.user] != nil else { return false }
      content.logins[login.id] = login
      return true
    }
  }
  public func login(_ id: String) throws(ServerError) -> LoginRecord? { content.withLock { $0.logins[id] } }
  public func endLogin(_ id: String) throws(ServerError) { content.withLock { $0.logins[id] = nil } }

  public func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> [String] {
    content.withLock { content in
      let ended = content.logins.values.filter { $0.user == user && $0.id != kept }.map(\.id).sorted()
      for id in ended { content.logins[id] = nil }
      return ended
    }
  }

  public func endLogins(withKey key: String) throws(ServerError) -> [String] {
    content.withLock { content in
      let ended = content.logins.values.filter { $0.key == key }.map(\.id).sorted()
      for id in ended { content.logins[id] = nil }
      return ended
    }
  }

  public func removeExpired(before time: WallTime) throws(ServerError) {
    content.withLock { content in
      content.logins = content.logins.filter { $0.value.expiresAt >= time }
      content.offers = content.offers.filter { $0.value.expiresAt.map { $0 >= time } ?? true }
    }
  }

  public func storeAPIKey(_ key: APIKeyRecord) throws(ServerError) { content.withLock { $0.keys[key.id] = key } }
  public func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord] {
    content.withLock { content in
      content.keys.values.filter { $0.user == user }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
  }
  public func apiKey(digest: String) throws(ServerError) -> APIKeyRecord? {
    content.withLock { content in content.keys.values.first { $0.digest == digest } }
  }
  public func deleteAPIKey(_ id: String) throws(ServerError) { content.withLock { $0.keys[id] = nil } }
  public func deleteAPIKeys(of user: UserId) throws(ServerError) -> Int {
    content.withLock { content in
      let ids = content.keys.values.filter { $0.user == user }.map(\.id)
      for id in ids { content.keys[id] = nil }
      return ids.count
    }
  }
}
