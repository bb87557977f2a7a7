public import Permissions
public import Telemetry

/// The directory of users, logins, realms and grants: one of the server's two interfaces to storage (the other is
/// ``HistoryStore``).
///
/// Functions block; any thread but the loop may call them. Changes are durable when a function returns.
/// The implementation is ``SQLDirectory``, over one SQLite file or the shared database of a cluster.
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
  /// The identities, without passwords, of a user of this id who was removed; empty for an id that nobody had. The realms in the
  /// user's folder are there still, so the id is for nobody else.
  func removedIdentities(of id: UserId) throws(ServerError) -> [IdentityRecord]
  /// Gives the identity of an unused user to another user, and removes the unused one, all at once. A user is unused who is
  /// neither suspended nor an administrator, who has this identity alone, no API key and no offer, to whom nothing was
  /// granted, and in whose folder there is no realm.
  ///
  /// - Parameter identity: the identity as it was read; it must be the same still.
  /// - Returns: false, with nothing changed, when its user is in use, it is another, or there is no user `id`.
  func moveIdentity(_ identity: IdentityRecord, to id: UserId) throws(ServerError) -> Bool
  /// Replaces the password hash of an identity, ends the logins of its user but one, and removes the user's API keys: all
  /// at once. Does nothing when there is no such identity.
  ///
  /// - Parameters:
  ///   - kept: the login that stays; nil for none.
  ///   - keepsKeys: whether the API keys stay; logins that were made with them end all the same.
  /// - Returns: how many API keys were removed.
  @discardableResult
  func setPassword(
    _ hash: String, of identity: IdentityRecord, keepingLogin kept: String?, keepsKeys: Bool
  ) throws(ServerError) -> Int
  /// Replaces the password hash of an identity, if it still is `old`.
  ///
  /// - Returns: false, with nothing changed, when it is another or there is no such identity.
  func replacePasswordHash(_ old: String, with new: String, provider: String, name: String) throws(ServerError) -> Bool
  /// Changes whether a user is an administrator, and whether they are suspended; nil leaves as it is.
  ///
  /// - Returns: false when there is no such user.
  @discardableResult
  func updateUser(_ id: UserId, isAdministrator: Bool?, isDisabled: Bool?) throws(ServerError) -> Bool
  /// Removes a user with identities, logins, API keys, grants and offers, at once. Realms stay.
  ///
  /// - Returns: false when there is no such user.
  @discardableResult
  func deleteUser(_ id: UserId) throws(ServerError) -> Bool
  /// The number of users.
  func userCount() throws(ServerError) -> Int
  /// All users in the order of their ids, with their identities.
  func users() throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])]
  /// A page of users in the order of their ids, with their identities.
  ///
  /// - Parameters:
  ///   - text: what an identity's name contains, by bytes; nil for all users.
  ///   - after: the last user of the page before; nil for the first page.
  ///   - limit: the most users of a page.
  /// - Complexity: O(limit) without `text`, O(users) with it.
  func users(
    matching text: String?, after: UserId?, limit: Int
  ) throws(ServerError) -> [(user: UserRecord, identities: [IdentityRecord])]

  /// Stores a login, if its user exists and is not suspended and the proof still holds, all looked up at once with it.
  ///
  /// - Returns: false, with nothing stored, when user or proof went meanwhile.
  @discardableResult
  func createLogin(_ login: LoginRecord, proof: LoginProof) throws(ServerError) -> Bool
  /// The login with an id, if it was not ended.
  func login(_ id: String) throws(ServerError) -> LoginRecord?
  /// The logins of a user that were not ended, oldest first.
  func logins(of user: UserId) throws(ServerError) -> [LoginRecord]
  /// Replaces what is kept of a login's refresh token, if it still is `old`, and sets the time at which the login ends.
  ///
  /// - Returns: false, with nothing changed, when it is another or the login has ended.
  func replaceRefreshToken(
    _ old: RefreshTokenRecord?, with new: RefreshTokenRecord, of login: String, expiresAt: WallTime
  ) throws(ServerError) -> Bool
  /// Ends one login.
  func endLogin(_ id: String) throws(ServerError)
  /// Ends all logins of a user but one.
  ///
  /// - Returns: how many ended.
  @discardableResult
  func endLogins(of user: UserId, except kept: String?) throws(ServerError) -> Int
  /// Removes logins and offers that expired before `time`.
  func removeExpired(before time: WallTime) throws(ServerError)

  /// Stores a new API key, if the login that asked for it still exists, looked up at once with it.
  ///
  /// - Parameter login: the login of the key's user; nil for none that could end.
  /// - Returns: false, with nothing stored, when the login has ended.
  @discardableResult
  func createAPIKey(_ key: APIKeyRecord, by login: String?) throws(ServerError) -> Bool
  /// Enables or disables an API key; the logins that were made with a disabled one end, at once with it.
  ///
  /// - Returns: false when there is no such key.
  @discardableResult
  func setAPIKey(_ id: String, isDisabled: Bool) throws(ServerError) -> Bool
  /// The API keys of a user, oldest first.
  func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord]
  /// The API key whose secret has this digest.
  func apiKey(digest: String) throws(ServerError) -> APIKeyRecord?
  /// Removes an API key, and ends the logins that were made with it, at once.
  ///
  /// - Returns: false when there was no such key.
  @discardableResult
  func deleteAPIKey(_ id: String) throws(ServerError) -> Bool

  /// The facts of a realm: whether it exists, and all grants on it; for a partial view, those of its reference realm as well.
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
  /// A page of the list of realms, in the order of the bytes of their paths.
  ///
  /// - Complexity: O(limit) in what is read and checked; the database counts over all paths.
  func realms(_ search: RealmSearch) throws(ServerError) -> RealmPage
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
  /// The grants on the realms in the folder of a user, sorted by path and grantee.
  func grants(inFolderOf user: UserId) throws(ServerError) -> [Grant]
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

  /// Whether other processes change the directory as well, so that ``changes(after:)`` must be asked from time to time.
  var isShared: Bool { get }
  /// The changes after a position that sessions may depend on, oldest first: of users and their logins, and of grants. What
  /// is kept are the last ten thousand.
  ///
  /// - Parameter position: a position that was answered before; nil for the present one, with no changes.
  func changes(after position: Int64?) throws(ServerError) -> DirectoryChanges
  /// Tells whoever follows the feed that the keys of tokens were rotated.
  func tokenKeysChanged() throws(ServerError)
  /// Chooses the function that is called after each change by this process, on any thread; nil for none.
  func whenChanged(_ handler: (@Sendable () -> Void)?)

  /// Flushes and closes; no function may be called afterwards.
  func close()
}
