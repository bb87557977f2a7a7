public import Permissions
public import Telemetry

/// A user in the directory.
public struct UserRecord: Hashable, Sendable {
  /// The permanent identifier: 24 lower-case hexadecimal digits unless an administrator chose otherwise.
  public var id: UserId
  /// Whether the user is an administrator.
  public var isAdministrator: Bool
  /// Whether the user is disabled and cannot log in.
  public var isDisabled: Bool
  /// The time of creation.
  public var createdAt: WallTime

  /// A record with all its parts.
  public init(id: UserId, isAdministrator: Bool = false, isDisabled: Bool = false, createdAt: WallTime) {
    self.id = id
    self.isAdministrator = isAdministrator
    self.isDisabled = isDisabled
    self.createdAt = createdAt
  }
}

/// One way in which a user logs in. Provider and name together are unique.
public struct IdentityRecord: Hashable, Sendable {
  /// `local-userpass`, `anon-user` or `custom-token`.
  public var provider: String
  /// The user's name within the provider.
  public var name: String
  /// The user.
  public var user: UserId
  /// The hash of the password; nil for providers without one.
  public var passwordHash: String?

  /// A record with all its parts.
  public init(provider: String, name: String, user: UserId, passwordHash: String? = nil) {
    self.provider = provider
    self.name = name
    self.user = user
    self.passwordHash = passwordHash
  }
}

/// A login, proven by its refresh token. Ending a login invalidates all tokens of it.
public struct LoginRecord: Hashable, Sendable {
  /// Random text.
  public var id: String
  /// The user.
  public var user: UserId
  /// The app.
  public var app: String
  /// The id of the API key that the user logged in with; nil for another proof. The login ends with the key.
  public var key: String?
  /// When the user logged in.
  public var createdAt: WallTime
  /// When the refresh token ends.
  public var expiresAt: WallTime
  /// The record of the refresh token; nil for logins of releases that kept nothing.
  public var refreshToken: RefreshTokenRecord?

  /// A record with all its parts.
  public init(
    id: String, user: UserId, app: String, key: String? = nil, createdAt: WallTime, expiresAt: WallTime,
    refreshToken: RefreshTokenRecord? = nil
  ) {
    self.id = id
    self.user = user
    self.app = app
    self.key = key
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
  }
}

/// The directory's record of a login's refresh token and of the one before it: digests, never the secrets.
public struct RefreshTokenRecord: Hashable, Sendable {
  /// SHA-256 of the present token's secret, in hexadecimal digits.
  public var digest: String
  /// The same of the token that it replaced; nil while there was none.
  public var previousDigest: String?
  /// The random text by which the present secret follows from the one before.
  public var nonce: String?
  /// The time of the replacement.
  public var rotatedAt: WallTime?

  /// A record with all its parts.
  public init(digest: String, previousDigest: String? = nil, nonce: String? = nil, rotatedAt: WallTime? = nil) {
    self.digest = digest
    self.previousDigest = previousDigest
    self.nonce = nonce
    self.rotatedAt = rotatedAt
  }
}

/// A key with which a program logs in as a user.
public struct APIKeyRecord: Hashable, Sendable {
  /// 24 lower-case hexadecimal digits.
  public var id: String
  /// The owner of the key.
  public var user: UserId
  /// The name of the key, unique among the keys of its user.
  public var name: String
  /// SHA-256 of the secret, in hexadecimal digits. The secret itself is not kept.
  public var digest: String
  /// Whether the key is disabled.
  public var isDisabled: Bool
  /// The time of creation.
  public var createdAt: WallTime

  /// A record with all its parts.
  public init(
    id: String, user: UserId, name: String, digest: String, isDisabled: Bool = false, createdAt: WallTime
  ) {
    self.id = id
    self.user = user
    self.name = name
    self.digest = digest
    self.isDisabled = isDisabled
    self.createdAt = createdAt
  }
}

/// An open invitation to a realm.
public struct OfferRecord: Hashable, Sendable {
  /// The secret that the recipient presents.
  public var token: String
  /// The user who made the offer.
  public var user: UserId
  /// The realm.
  public var path: RealmPath
  /// The level of access that the recipient gets.
  public var level: AccessLevel
  /// The time of creation.
  public var createdAt: WallTime
  /// The time of expiry; nil for never.
  public var expiresAt: WallTime?

  /// A record with all its parts.
  public init(
    token: String, user: UserId, path: RealmPath, level: AccessLevel, createdAt: WallTime, expiresAt: WallTime? = nil
  ) {
    self.token = token
    self.user = user
    self.path = path
    self.level = level
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
