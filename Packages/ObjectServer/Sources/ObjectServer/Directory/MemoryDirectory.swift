public import Permissions
import Synchronization
public import Telemetry

/// A directory that lives and dies with the process: for simulation and tests, and the model against which the durable
/// one is checked.
public final class MemoryDirectory: Directory {
  private struct IdentityKey: Hashable, Comparable {
    var provider: String
    var name: String
    static func < (left: IdentityKey, right: IdentityKey) -> Bool {
      (left.provider, left.name) < (right.provider, right.name)
    }
  }
  private struct GrantKey: Hashable {
    var path: RealmPath
    var grantee: Grantee
  }
  private struct Content {
    var users: [UserId: UserRecord] = [:]
    var identities: [IdentityKey: IdentityRecord] = [:]
    var logins: [String: LoginRecord] = [:]
    var realms: Set<RealmPath> = []
    var usedPaths: Set<RealmPath> = []
    var grants: [GrantKey: Grant] = [:]
    var withdrawals: [GrantKey: WallTime] = [:]
    var offers: [String: OfferRecord] = [:]
    var keys: [String: APIKeyRecord] = [:]
    var renamed: [RealmPath: RealmPath] = [:]
  }
  private let content = Mutex(Content())

  /// An empty directory.
  public init() {}

  public func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      let key = IdentityKey(provider: identity.provider, name: identity.name)
      guard content.identities[key] == nil, content.users[user.id] == nil else { return false }
      content.users[user.id] = user
      content.identities[key] = identity
      return true
    }
  }

  public func user(_ id: UserId) throws(ServerError) -> UserRecord? { content.withLock { $0.users[id] } }

  public func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord? {
    content.withLock { $0.identities[IdentityKey(provider: provider, name: name)] }
  }

  public func identities(of user: UserId) throws(ServerError) -> [IdentityRecord] {
    content.withLock { content in
      content.identities.filter { $0.value.user == user }.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  public func setPasswordHash(_ hash: String, provider: String, name: String) throws(ServerError) {
    content.withLock { $0.identities[IdentityKey(provider: provider, name: name)]?.passwordHash = hash }
  }

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

  public func updateUser(_ user: UserRecord) throws(ServerError) {
    content.withLock { content in
      content.users[user.id]?.isAdministrator = user.isAdministrator
      content.users[user.id]?.isDisabled = user.isDisabled
    }
  }

  public func deleteUser(_ id: UserId) throws(ServerError) -> [String] {
    content.withLock { content in
      let ended = content.logins.values.filter { $0.user == id }.map(\.id).sorted()
      content.users[id] = nil
      content.identities = content.identities.filter { $0.value.user != id }
      content.logins = content.logins.filter { $0.value.user != id }
      content.grants = content.grants.filter { $0.key.grantee != .user(id) }
      content.withdrawals = content.withdrawals.filter { $0.key.grantee != .user(id) }
      content.offers = content.offers.filter { $0.value.user != id }
      content.keys = content.keys.filter { $0.value.user != id }
      return ended
    }
  }

  public func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])] {
    content.withLock { content in
      content.users.values.sorted { $0.id < $1.id }.map { user in
        let own = content.identities.filter { $0.value.user == user.id }.sorted { $0.key < $1.key }
        return (user, own.map(\.value))
      }
    }
  }

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

  public func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool {
    content.withLock { content in
      let key = IdentityKey(provider: identity.provider, name: identity.name)
      guard content.identities[key] == nil else { return false }
      content.identities[key] = identity
      return true
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

  public func facts(of path: RealmPath) throws(ServerError) -> RealmFacts {
    content.withLock { content in
      let grants = content.grants.values.filter { $0.path == path }.sorted { $0.grantee < $1.grantee }
      return RealmFacts(path: path, exists: content.realms.contains(path), grants: grants)
    }
  }

  public func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool {
    content.withLock { $0.realms.insert(path).inserted && $0.usedPaths.insert(path).inserted }
  }

  public func realms(in user: UserId) throws(ServerError) -> [RealmPath] {
    content.withLock { content in
      content.realms.filter { $0.owner == user }.sorted { $0.description < $1.description }
    }
  }

  public func allRealms() throws(ServerError) -> [RealmPath] {
    content.withLock { $0.realms.sorted { $0.description < $1.description } }
  }

  public func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool {
    content.withLock { content in
      content.grants = content.grants.filter { $0.key.path != path }
      content.withdrawals = content.withdrawals.filter { $0.key.path != path }
      content.offers = content.offers.filter { $0.value.path != path }
      let names = content.renamed.filter { $0.key == path || $0.value == path }.keys
      for name in names { content.renamed[name] = nil }
      return content.realms.remove(path) != nil || !names.isEmpty
    }
  }

  public func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool {
    content.withLock { content in
      guard content.realms.contains(path), !content.realms.contains(newPath) else { return false }
      content.realms.remove(path)
      content.realms.insert(newPath)
      content.usedPaths.insert(newPath)
      var grants: [GrantKey: Grant] = [:]
      for (key, grant) in content.grants where key.path != newPath {
        var (key, grant) = (key, grant)
        if key.path == path {
          key.path = newPath
          grant.path = newPath
        }
        grants[key] = grant
      }
      content.grants = grants
      var withdrawals: [GrantKey: WallTime] = [:]
      for (key, time) in content.withdrawals where key.path != newPath {
        withdrawals[key.path == path ? GrantKey(path: newPath, grantee: key.grantee) : key] = time
      }
      content.withdrawals = withdrawals
      for (token, offer) in content.offers where offer.path == path { content.offers[token]?.path = newPath }
      for (name, target) in content.renamed where target == path { content.renamed[name] = newPath }
      content.renamed[path] = newPath
      content.renamed[newPath] = nil
      return true
    }
  }

  public func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath? {
    content.withLock { $0.renamed[path] }
  }

  public func grants(to user: UserId) throws(ServerError) -> [Grant] {
    content.withLock { content in
      content.grants.values.filter { $0.grantee == .user(user) }.sorted { $0.path.description < $1.path.description }
    }
  }

  public func setGrant(_ grant: Grant) throws(ServerError) {
    content.withLock { content in
      let key = GrantKey(path: grant.path, grantee: grant.grantee)
      if grant.level == .none || grant.level < content.grants[key]?.level ?? .none {
        content.withdrawals[key] = WallTime(millisecondsSince1970: grant.updatedAtMilliseconds)
      }
      content.grants[key] = grant.level == .none ? nil : grant
    }
  }

  public func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime? {
    content.withLock { $0.withdrawals[GrantKey(path: path, grantee: grantee)] }
  }

  public func createOffer(_ offer: OfferRecord) throws(ServerError) {
    content.withLock { $0.offers[offer.token] = offer }
  }
  public func offer(_ token: String) throws(ServerError) -> OfferRecord? { content.withLock { $0.offers[token] } }

  public func offers(of user: UserId) throws(ServerError) -> [OfferRecord] {
    content.withLock { content in
      content.offers.values.filter { $0.user == user }.sorted { ($0.createdAt, $0.token) < ($1.createdAt, $1.token) }
    }
  }

  public func deleteOffer(_ token: String) throws(ServerError) { content.withLock { $0.offers[token] = nil } }

  public func close() {}
}
