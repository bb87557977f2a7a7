public import Permissions
public import Telemetry

/// The purpose of a token. One kind is never accepted as the other.
public enum TokenKind: String, Codable, Sendable {
  /// Opens sync connections and authorises calls, for some minutes.
  case access
  /// Buys new access tokens, for weeks.
  case refresh
}

/// The claims of a token about its bearer.
///
/// The names on the wire are those that Realm's sync servers read (`sub`, `isAdmin`, `iat`, `exp`, `appId`, `path`,
/// `access`) together with those that stock apps need (`typ`, `aud`, `exp` and `iat` as whole numbers).
public struct TokenClaims: Hashable, Sendable {
  /// Access or refresh.
  public var kind: TokenKind
  /// The user.
  public var user: UserId
  /// The app the user logged in to.
  public var app: String
  /// The login that the token belongs to; ending it ends the token. Nil for tokens that belong to no login.
  public var login: String?
  /// The secret of a refresh token, of which the server keeps a digest; nil in access tokens, and in refresh tokens of
  /// releases that kept nothing.
  public var secret: String?
  /// The time of issue, in whole seconds.
  public var issuedAt: WallTime
  /// The first time at which the token is not valid any more, in whole seconds.
  public var expiresAt: WallTime
  /// Whether the user administers the server; false when the token does not say.
  public var isAdministrator: Bool
  /// The virtual path of the only realm that the token opens; nil for all.
  public var path: String?
  /// The highest access that the token gives in any realm, whatever the user may.
  public var level: AccessLevel

  /// Claims with all their parts.
  public init(
    kind: TokenKind, user: UserId, app: String, login: String? = nil, secret: String? = nil, issuedAt: WallTime,
    expiresAt: WallTime, isAdministrator: Bool = false, path: String? = nil, level: AccessLevel = .admin
  ) {
    self.kind = kind
    self.user = user
    self.app = app
    self.login = login
    self.secret = secret
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.isAdministrator = isAdministrator
    self.path = path
    self.level = level
  }

  /// Whether the token is not valid any more.
  public func isExpired(at time: WallTime) -> Bool { time >= expiresAt }
}
