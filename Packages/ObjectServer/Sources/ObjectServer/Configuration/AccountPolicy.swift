public import Permissions

/// The rules about accounts, and the lifetimes of tokens.
public struct AccountPolicy: Hashable, Sendable {
  /// The clients that may make a user with a name and a password.
  public var registration = ClientScope.local
  /// Whether a registration of a taken name is answered like any other, with nothing made, in place of a refusal.
  public var hidesTakenNames = false
  /// The clients that may log in without a name.
  public var anonymous = ClientScope.local
  /// The clients that may log in by a mere nickname: as anybody, administrators included.
  public var nicknames = ClientScope.none
  /// Whether users log in by name and password.
  public var allowsPasswords = true
  /// Whether users log in with API keys.
  public var allowsAPIKeys = true
  /// The shortest password, in bytes of UTF-8.
  public var minimumPasswordBytes = 8
  /// The life of an access token.
  public var accessTokenLifetime: Duration = .seconds(30 * 60)
  /// The life of a refresh token, and so of a login.
  public var refreshTokenLifetime: Duration = .seconds(60 * 86_400)
  /// The life of the login of a user without a name, who cannot log in again.
  public var anonymousLifetime: Duration = .seconds(3_650 * 86_400)
  /// Binary logarithm of the cost of a password hash; see `PasswordHasher`.
  public var passwordCost = 15
  /// The rules for tokens of other systems.
  public var foreignTokens = ForeignTokenRules()
  /// The rules about realms.
  public var rules = AccessRules()

  /// The policy above.
  public init() {}
}
