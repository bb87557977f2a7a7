import Permissions

/// The kinds of bearers and proofs that a route can ask for, and the decision whether a token is enough: the only place
/// that decides. `Route.access` says which kind each route asks for.
/// Access to single realms is decided by `AccessRules`, within the bounds of the token.
///
///     try Route.deleteUser.access.check(bearer)    // throws 403 for a token that is for one realm only
enum RequiredBearer: Hashable, Sendable {
  /// Nothing: the answer tells nothing about users and realms.
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
  /// An access token with the right to manage the realms that the request names; it may be bounded to them.
  case realm
  /// An access token that permits reading; the access to each realm is decided when it is bound.
  case connection

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

  /// Admits a bearer or throws.
  ///
  /// - Throws: ``APIError`` with 401 where a refresh token is needed, else with 403.
  func check(_ bearer: Bearer) throws(APIError) {
    guard !admits(bearer.kind) else { return }
    if self == .login { throw APIError(401, .invalidSession, "invalid session: this needs the refresh token") }
    switch bearer.kind {
    case .user: throw .denied("only an administrator can do this")
    case .administrator, .operator: throw .denied("the operator's token belongs to no user; log in as one")
    case .bounded: throw .denied("the token is for one realm, or allows less than its user may; log in to do this")
    }
  }
}

/// The kinds of access tokens that routes distinguish.
enum BearerKind: Hashable, Sendable {
  /// All rights of a user.
  case user
  /// All rights, of an administrator.
  case administrator
  /// All rights, of no user: `keys/admin.json`.
  case `operator`
  /// For one realm, or with fewer rights than its user has: at most this level.
  case bounded(AccessLevel)
}

extension Bearer {
  /// The kind of the bearer's token.
  var kind: BearerKind {
    guard subject.tokenPath == nil, subject.tokenLevel == .admin else { return .bounded(subject.tokenLevel) }
    guard subject.isAdministrator else { return .user }
    return user == Accounts.administratorTokenUser ? .operator : .administrator
  }
}
