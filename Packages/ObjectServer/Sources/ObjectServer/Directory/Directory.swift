public import Permissions
public import Telemetry

/// The directory of users, logins, realms and grants: one of the server's two interfaces to storage (the other is
/// ``HistoryStore``).
///
/// Functions block; any thread but the loop may call them. Changes are durable when a function returns.
/// The embedded implementation is ``SQLiteDirectory``; one over a shared database makes a cluster possible.
/// Every function throws ``ServerError`` with ``ServerError/Code/directoryFailure`` when the storage fails.
public protocol Directory: Sendable {
  /// Creates a user with a first identity.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  func createUser(_ user: UserRecord, identity: IdentityRecord) throws(ServerError) -> Bool
  /// The user with an id.
  func user(_ id: UserId) throws(ServerError) -> UserRecord?
  /// The identity of a provider's user.
  func identity(provider: String, name: String) throws(ServerError) -> IdentityRecord?
  /// All identities of a user.
  func identities(of user: UserId) throws(ServerError) -> [IdentityRecord]
  /// Gives a user another way to log in.
  ///
  /// - Returns: false when provider and name are taken; nothing is changed then.
  func addIdentity(_ identity: IdentityRecord) throws(ServerError) -> Bool
  /// Replaces the password hash of an identity. Does nothing when there is no such identity.
  func setPasswordHash(_ hash: String, provider: String, name: String) throws(ServerError)
  /// Replaces the password hash of an identity, if it still is `old`.
  ///
  /// - Returns: false, with nothing changed, when it is another or there is no such identity.
  func replacePasswordHash(_ old: String, with new: String, provider: String, name: String) throws(ServerError) -> Bool
  /// Changes whether a user is an administrator, and whether they are shut out.
  func updateUser(_ user: UserRecord) throws(ServerError)
  /// Removes a user with identities, logins, grants and offers, at once. Realms stay.
  ///
  /// - Returns: the ids of the logins that ended with it.
  @discardableResult
  func deleteUser(_ id: UserId) throws(ServerError) -> [String]
  /// All users in the order of their ids, with their identities.
  func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])]

  /// Stores a login.
  ///
  /// - Returns: false, with nothing stored, when its user does not exist: the user was removed meanwhile.
  @discardableResult
  func createLogin(_ login: LoginRecord) throws(ServerError) -> Bool
  /// The login with an id, if it was not ended.
  func login(_ id: String) throws(ServerError) -> LoginRecord?
  /// Ends one login.
  func endLogin(_ id: String) throws(ServerError)
  /// Ends all logins of a user but one.
  ///
  /// - Returns: the ids of those that were ended.
  func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> [String]
  /// Ends all logins that were made with an API key.
  ///
  /// - Returns: the ids of those that were ended.
  func endLogins(withKey key: String) throws(ServerError) -> [String]
  /// Removes logins and offers that expired before `time`.
  func removeExpired(before time: WallTime) throws(ServerError)

  /// Stores an API key, replacing one with the same id.
  func storeAPIKey(_ key: APIKeyRecord) throws(ServerError)
  /// The API keys of a user, oldest first.
  func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord]
  /// The API key whose secret has this digest.
  func apiKey(digest: String) throws(ServerError) -> APIKeyRecord?
  /// Removes an API key; the logins that were made with it stay.
  func deleteAPIKey(_ id: String) throws(ServerError)
  /// Removes all API keys of a user; the logins that were made with them stay.
  ///
  /// - Returns: how many there were.
  func deleteAPIKeys(of user: UserId) throws(ServerError) -> Int

  /// The facts of a realm: whether it exists, and all grants on it.
  func facts(of path: RealmPath) throws(ServerError) -> RealmFacts
  /// Records that a realm exists. Has no effect when it is recorded already.
  ///
  /// - Returns: whether there never was a realm at the path: none that exists, was deleted, or was renamed.
  @discardableResult
  func recordRealm(_ path: RealmPath, createdBy user: UserId, at time: WallTime) throws(ServerError) -> Bool
  /// The realms in the folder of a user, sorted.
  func realms(in user: UserId) throws(ServerError) -> [RealmPath]
  /// All realms, sorted.
  func allRealms() throws(ServerError) -> [RealmPath]
  /// Forgets a realm with its grants and offers.
  ///
  /// - Returns: false when there was none.
  func deleteRealm(_ path: RealmPath) throws(ServerError) -> Bool
  /// Gives a realm another path; its grants and offers go with it, and the old path remembers the new one.
  ///
  /// - Returns: false, with nothing changed, when there is none at the old path or one at the new.
  func renameRealm(_ path: RealmPath, to newPath: RealmPath) throws(ServerError) -> Bool
  /// The present path of the realm that was renamed from a path; nil when none was.
  func renamedPath(of path: RealmPath) throws(ServerError) -> RealmPath?
  /// The grants to one user, not those to everyone, sorted by path.
  func grants(to user: UserId) throws(ServerError) -> [Grant]
  /// Stores a grant, replacing an earlier one for the same realm and grantee; the level none removes it. The directory
  /// remembers the time of a grant that is none, or lower than the one before: see ``withdrawal(of:from:)``.
  func setGrant(_ grant: Grant) throws(ServerError)
  /// The last time at which a grantee lost a grant on a realm or a part of it; nil for never.
  func withdrawal(of grantee: Grantee, from path: RealmPath) throws(ServerError) -> WallTime?

  /// Stores an offer.
  func createOffer(_ offer: OfferRecord) throws(ServerError)
  /// The offer with a token.
  func offer(_ token: String) throws(ServerError) -> OfferRecord?
  /// The offers that a user made, oldest first.
  func offers(of user: UserId) throws(ServerError) -> [OfferRecord]
  /// Removes an offer.
  func deleteOffer(_ token: String) throws(ServerError)

  /// Flushes and closes; no function may be called afterwards.
  func close()
}
