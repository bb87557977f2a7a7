import AuthClient

/// The credentials of a login. Descriptions hold no secrets.
///
///     SyncUser.logIn(with: .usernamePassword(username: "ann", password: "secret", register: true), server: url)
public struct SyncCredentials: Sendable, CustomStringConvertible {
  /// A token of another system, as text.
  public typealias Token = String

  let credentials: Credentials

  /// A user name and a password. With `register` the user is made, and must not exist; without it the user must exist.
  public static func usernamePassword(username: String, password: String, register: Bool = false) -> SyncCredentials {
    SyncCredentials(credentials: .usernamePassword(username, password, register: register ? .always : .never))
  }

  /// A user name and a password; the user is made when missing.
  public static func usernamePasswordCreatingIfMissing(username: String, password: String) -> SyncCredentials {
    SyncCredentials(credentials: .usernamePassword(username, password, register: .ifMissing))
  }

  /// A signed token of another system that the server trusts.
  public static func jwt(_ token: Token) -> SyncCredentials { SyncCredentials(credentials: .jwt(token)) }

  /// A new user without a name, on every login.
  public static func anonymous() -> SyncCredentials { SyncCredentials(credentials: .anonymous) }

  /// An access token that the application already has; the server is not asked. The identity is the token's.
  public static func accessToken(_ accessToken: Token, identity: String) -> SyncCredentials {
    SyncCredentials(credentials: .tokens(access: accessToken))
  }

  /// A refresh token that the application already has; the server is not asked. The identity is the token's.
  public static func customRefreshToken(
    _ token: Token, identity: String, isAdmin: Bool = false
  ) -> SyncCredentials {
    SyncCredentials(credentials: .tokens(access: nil, refresh: token))
  }

  /// The kind only, no secrets.
  public var description: String { credentials.description }
}
