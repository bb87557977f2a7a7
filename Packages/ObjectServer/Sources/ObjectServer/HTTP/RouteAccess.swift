import Permissions

/// What the server asks of whoever calls a route, and whether a bearer's token is enough for it: the one place that decides.
/// What a bearer may do with a realm is decided by `AccessRules`, within the bounds that the token itself sets.
///
///     try RouteAccess.of(.deleteUser).check(bearer)    // throws 403 for a token that is for one realm only
enum RouteAccess: Hashable, Sendable {
  /// Nothing: the answer holds nothing of users and realms.
  case nothing
  /// A proof in the body, such as a password. A bearer is not read.
  case proof
  /// The refresh token of a login.
  case login
  /// An access token for all of a user's realms: the request acts for the account itself.
  case user
  /// An access token for all realms, of a user or the operator's.
  case unbounded
  /// An access token for all realms, of an administrator or the operator's.
  case administrator
  /// An access token with which the realms that the request names can be managed: also one for such a realm alone.
  case realm
  /// An access token that lets anything be read: each realm that a connection opens is decided about when it is bound.
  case connection

  /// What a route asks for.
  static func of(_ route: Route) -> RouteAccess {
    switch route {
    case .health, .ready, .metrics, .preflight, .location, .callFunction, .registerForPush: .nothing
    case .logIn, .register, .mail, .legacyLogin, .legacyRevoke: .proof
    case .refresh, .logOut, .apiKeys, .createAPIKey, .apiKey, .deleteAPIKey, .enableAPIKey: .login
    case .link, .deleteUser, .acceptOffer: .user
    case .profile, .changePassword, .realms, .renameRealm, .permissions, .offers: .unbounded
    case .account: .administrator
    case .realmPermissions, .applyPermission, .createOffer, .deleteOffer, .deleteRealm: .realm
    }
  }

  /// Whether an access token of this kind is enough.
  func admits(_ kind: BearerKind) -> Bool {
    switch (self, kind) {
    case (.nothing, _), (.proof, _): true
    case (.login, _): false
    case (.user, .user), (.user, .administrator): true
    case (.user, .operator), (.user, .bounded): false
    case (.unbounded, .user), (.unbounded, .administrator), (.unbounded, .operator): true
    case (.unbounded, .bounded): false
    case (.administrator, .administrator), (.administrator, .operator): true
    case (.administrator, .user), (.administrator, .bounded): false
    case (.realm, .user), (.realm, .administrator), (.realm, .operator): true
    case (.realm, .bounded(let level)): level >= .manage
    case (.connection, .user), (.connection, .administrator), (.connection, .operator): true
    case (.connection, .bounded(let level)): level >= .read
    }
  }

  /// Lets a bearer pass, or says why not.
  ///
  /// - Throws: ``APIError`` with 401 where a refresh token is needed, else with 403.
  func check(_ bearer: Bearer) throws(APIError) {
    guard !admits(bearer.kind) else { return }
    if self == .login { throw APIError(401, "InvalidSession", "invalid session: this needs the refresh token") }
    switch bearer.kind {
    case .user: throw .denied("only an administrator can do this")
    case .administrator, .operator: throw .denied("the operator's token belongs to no user; log in as one")
    case .bounded: throw .denied("the token is for one realm, or allows less than its user may; log in to do this")
    }
  }
}

/// Access tokens as far as routes tell them apart.
enum BearerKind: Hashable, Sendable {
  /// Everything that its user may do.
  case user
  /// Everything.
  case administrator
  /// Everything, but for no user: `keys/admin.json`.
  case `operator`
  /// For one realm, or with less than every right, whoever's it is: at most this level.
  case bounded(AccessLevel)
}

extension Bearer {
  /// What kind of token it bears.
  var kind: BearerKind {
    guard subject.tokenPath == nil, subject.tokenLevel == .admin else { return .bounded(subject.tokenLevel) }
    guard subject.isAdministrator else { return .user }
    return user == Accounts.administratorTokenUser ? .operator : .administrator
  }
}
