import AccessTokens
public import Permissions
public import Telemetry

/// A user logged in on this device, as stored between launches.
public struct AuthUser: Hashable, Sendable, Identifiable {
  /// The server's name for the user, for ever.
  public var id: UserId
  /// The name the user logged in with; nil for users without one.
  public var name: String?
  /// The provider of the login: `local-userpass`, `anon-user`, `custom-token`.
  public var provider: String
  /// Whether the user administers the server, as of the last token.
  public var isAdministrator: Bool
  /// The token for sync connections and calls; may have expired.
  public var accessToken: Redacted<String>?
  /// The token that buys access tokens; nil when the app supplied an access token only.
  public var refreshToken: Redacted<String>?
  /// The server's profile of the user as it was read last; nil when it never was.
  public var profile: UserProfile?

  /// Whether the user logged in without a name, and has no other way to log in.
  public var isAnonymous: Bool {
    guard let profile, !profile.identities.isEmpty else { return provider == AuthCredentials.anonymousProvider }
    return profile.identities.map(\.provider) == [AuthCredentials.anonymousProvider]
  }

  /// Whether the user has a token.
  public var isLoggedIn: Bool { accessToken != nil || refreshToken != nil }

  /// A user with all its parts.
  public init(
    id: UserId, name: String?, provider: String, isAdministrator: Bool, accessToken: Redacted<String>?,
    refreshToken: Redacted<String>?, profile: UserProfile? = nil
  ) {
    self.id = id
    self.name = name
    self.provider = provider
    self.isAdministrator = isAdministrator
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.profile = profile
  }

  /// Whether there is an access token that stays valid for at least `margin`.
  public func hasFreshToken(at time: WallTime, margin: Duration = .seconds(30)) -> Bool {
    guard let token = accessToken, let claims = try? TokenVerifier.readWithoutVerification(token.unredacted)
    else { return false }
    return !claims.isExpired(at: time + margin)
  }
}

/// A server's profile of a user.
public struct UserProfile: Hashable, Codable, Sendable {
  /// One login of the user, by provider.
  public struct Identity: Hashable, Codable, Sendable {
    /// The name of the user within the provider.
    public var id: String
    /// `local-userpass`, `anon-user`, `custom-token`, …
    public var provider: String

    /// An identity with all its parts.
    public init(id: String, provider: String) {
      self.id = id
      self.provider = provider
    }
  }

  /// The user.
  public var id: UserId?
  /// The logins of the user.
  public var identities: [Identity]
  /// Texts about the user, such as `email`.
  public var data: [String: String]

  /// A profile with all its parts.
  public init(id: UserId?, identities: [Identity], data: [String: String]) {
    self.id = id
    self.identities = identities
    self.data = data
  }
}
