/// The credentials of a login. Descriptions hold no secrets.
public struct Credentials: Sendable, CustomStringConvertible {
  enum Proof: Sendable {
    case password(name: String, password: String, registration: Registration)
    case anonymous
    case customToken(String)
    case tokens(access: String?, refresh: String?)
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
  ) -> Credentials {
    Credentials(proof: .password(name: name, password: password, registration: register))
  }

  /// A new user without a name, on every login.
  public static var anonymous: Credentials { Credentials(proof: .anonymous) }

  /// A signed token of another system that the server trusts.
  public static func jwt(_ token: String) -> Credentials { Credentials(proof: .customToken(token)) }

  /// Tokens that the app already has. The server is not asked.
  public static func tokens(access: String?, refresh: String? = nil) -> Credentials {
    Credentials(proof: .tokens(access: access, refresh: refresh))
  }

  /// The kind of credentials.
  public var description: String {
    switch proof {
    case .password: "user name and password"
    case .anonymous: "anonymous"
    case .customToken: "token of another system"
    case .tokens: "own tokens"
    }
  }
}
