public import Permissions

/// The proof of identity of a login. Descriptions hold no secrets.
public struct AuthCredentials: Sendable, CustomStringConvertible {
  enum Proof: Sendable {
    case password(name: String, password: String, registration: Registration)
    case anonymous
    case customToken(String)
    case apiKey(String)
    case provider(String, body: [UInt8])
    case legacy(provider: String, data: String, userInfo: [String: Fact])
    case tokens(access: String?, refresh: String?, user: UserId?, isAdministrator: Bool?)
  }
  let proof: Proof

  /// The treatment of users that do not exist.
  public enum Registration: Sendable {
    /// The user must exist.
    case never
    /// The user is registered, and must not exist.
    case always
    /// The user is registered when missing.
    case ifMissing
  }

  /// A user with a name and a password known to the server.
  public static func usernamePassword(
    _ name: String, _ password: String, register: Registration = .never
  ) -> AuthCredentials {
    AuthCredentials(proof: .password(name: name, password: password, registration: register))
  }

  /// A new user without a name, on every login.
  public static var anonymous: AuthCredentials { AuthCredentials(proof: .anonymous) }

  /// A signed token of another system that the server trusts.
  public static func jwt(_ token: String) -> AuthCredentials { AuthCredentials(proof: .customToken(token)) }

  /// A key that a user of the server has made.
  public static func apiKey(_ key: String) -> AuthCredentials { AuthCredentials(proof: .apiKey(key)) }

  /// The proof for another provider of the server.
  ///
  /// - Parameters:
  ///   - name: the provider as the server names it, such as `custom-function`, `oauth2-google` or `nickname`.
  ///   - body: the JSON object that the provider asks for, in UTF-8.
  public static func provider(_ name: String, body: [UInt8]) -> AuthCredentials {
    AuthCredentials(proof: .provider(name, body: body))
  }

  /// A fact that goes along with a login.
  public enum Fact: Hashable, Sendable {
    /// Text.
    case text(String)
    /// A truth value.
    case flag(Bool)
    /// A number.
    case number(Double)
  }

  /// The proof for a provider of the documented login call, `POST /auth`, such as `nickname` or one of the server's own.
  ///
  /// - Parameters:
  ///   - provider: the provider as the server names it.
  ///   - data: the token or name that the provider asks for.
  ///   - userInfo: what else the provider asks for.
  public static func legacy(provider: String, data: String, userInfo: [String: Fact] = [:]) -> AuthCredentials {
    AuthCredentials(proof: .legacy(provider: provider, data: data, userInfo: userInfo))
  }

  /// Tokens that the app already has. The server is not asked.
  ///
  /// - Parameters:
  ///   - user: the user; nil for the one whom the token names.
  ///   - isAdministrator: whether the user administers the server; nil for what the token says.
  public static func tokens(
    access: String?, refresh: String? = nil, user: UserId? = nil, isAdministrator: Bool? = nil
  ) -> AuthCredentials {
    AuthCredentials(
      proof: .tokens(access: access, refresh: refresh, user: user, isAdministrator: isAdministrator))
  }

  /// The kind of credentials.
  public var description: String {
    switch proof {
    case .password: "user name and password"
    case .anonymous: "anonymous"
    case .customToken: "token of another system"
    case .apiKey: "API key"
    case .provider(let name, _), .legacy(let name, _, _): "provider \(name)"
    case .tokens: "own tokens"
    }
  }
}
