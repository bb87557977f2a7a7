import AuthClient
import Foundation
import Permissions

/// The credentials of a login. Descriptions hold no secrets.
///
///     SyncUser.logIn(with: .usernamePassword(username: "ann", password: "secret", register: true), server: url)
public struct SyncCredentials: Sendable, CustomStringConvertible {
  /// A token of another system, as text.
  public typealias Token = String

  let credentials: AuthCredentials

  init(credentials: AuthCredentials) { self.credentials = credentials }

  /// The token of any provider that the server has, also one of its own.
  ///
  /// - Parameters:
  ///   - token: the token or name that the provider asks for.
  ///   - provider: the provider.
  ///   - userInfo: what else the provider asks for: texts, truth values and numbers; others are left out.
  public init(customToken token: Token, provider: Provider, userInfo: [String: Any] = [:]) {
    switch provider {
    case .anonymous: credentials = .anonymous
    case .jwt: credentials = .jwt(token)
    case .accessToken: credentials = .tokens(access: token)
    case .customRefreshToken: credentials = .tokens(access: nil, refresh: token)
    default:
      credentials = .legacy(provider: provider.rawValue, data: token, userInfo: userInfo.compactMapValues(Self.fact))
    }
  }

  private static func fact(_ value: Any) -> AuthCredentials.Fact? {
    switch value {
    case let flag as Bool: .flag(flag)
    case let text as String: .text(text)
    case let number as Int: .number(Double(number))
    case let number as Double: .number(number)
    default: nil
    }
  }

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

  /// A name alone, without a password: the user is made when missing. Everybody who knows the name is that user, so this is
  /// for prototypes only, and servers take it only when their configuration says so.
  ///
  /// - Parameter isAdmin: whether a new user is to administer the server.
  public static func nickname(_ nickname: String, isAdmin: Bool = false) -> SyncCredentials {
    SyncCredentials(
      credentials: .legacy(provider: Provider.nickname.rawValue, data: nickname, userInfo: ["is_admin": .flag(isAdmin)])
    )
  }

  /// A token of Facebook, for servers with that provider.
  public static func facebook(token: Token) -> SyncCredentials {
    SyncCredentials(customToken: token, provider: .facebook)
  }

  /// A token of Google, for servers with that provider.
  public static func google(token: Token) -> SyncCredentials { SyncCredentials(customToken: token, provider: .google) }

  /// A token of CloudKit, for servers with that provider.
  public static func cloudKit(token: Token) -> SyncCredentials {
    SyncCredentials(customToken: token, provider: .cloudKit)
  }

  /// An access token that the application already has; the server is not asked.
  ///
  /// - Parameters:
  ///   - accessToken: the token.
  ///   - identity: the user, whose `~` in realm URLs this is; the server judges by the token.
  ///   - isAdmin: whether the user administers the server; nil for what the token says.
  public static func accessToken(
    _ accessToken: Token, identity: String, isAdmin: Bool? = nil
  ) -> SyncCredentials {
    SyncCredentials(credentials: .tokens(access: accessToken, user: UserId(identity), isAdministrator: isAdmin))
  }

  /// A refresh token that the application already has; the server is not asked.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - identity: the user, whose `~` in realm URLs this is; the server judges by the token.
  ///   - isAdmin: whether the user administers the server.
  public static func customRefreshToken(
    _ token: Token, identity: String, isAdmin: Bool = false
  ) -> SyncCredentials {
    SyncCredentials(
      credentials: .tokens(access: nil, refresh: token, user: UserId(identity), isAdministrator: isAdmin))
  }

  /// The kind only, no secrets.
  public var description: String { credentials.description }
}
