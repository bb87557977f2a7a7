import AuthClient
import ByteCoding

/// The proof of identity of a login to an ``App``.
///
///     let user = try await app.login(credentials: .emailPassword(email: "ann@example.org", password: "secret"))
///
/// Which of them a server takes is its configuration; the others fail with ``AppError/Code/authProviderNotFound``.
@frozen public enum Credentials: Sendable {
  /// A token of Facebook.
  case facebook(accessToken: String)
  /// A code of Google.
  case google(serverAuthCode: String)
  /// A token of Google.
  case googleId(token: String)
  /// A token of Apple.
  case apple(idToken: String)
  /// A name, usually an address, and a password.
  case emailPassword(email: String, password: String)
  /// A signed token of another system that the server trusts.
  case jwt(token: String)
  /// The values that the server's function for logins asks for.
  case function(payload: Document)
  /// A key that a user has made.
  case userAPIKey(String)
  /// A key of the server.
  case serverAPIKey(String)
  /// A user without a name, who is the same one on this device until logged out.
  case anonymous

  /// The credentials as the client of accounts takes them.
  var proof: AuthCredentials {
    switch self {
    case .emailPassword(let email, let password): .usernamePassword(email, password)
    case .jwt(let token): .jwt(token)
    case .userAPIKey(let key), .serverAPIKey(let key): .apiKey(key)
    case .anonymous: .anonymous
    case .function(let payload): Self.provider("custom-function", AnyBSON.document(payload).json)
    case .facebook(let token): Self.oauth("oauth2-facebook", "accessToken", token)
    case .google(let code): Self.oauth("oauth2-google", "authCode", code)
    case .googleId(let token): Self.oauth("oauth2-google", "id_token", token)
    case .apple(let token): Self.oauth("oauth2-apple", "id_token", token)
    }
  }

  private static func oauth(_ provider: String, _ name: String, _ text: String) -> AuthCredentials {
    Self.provider(provider, .object([("provider", .string(provider)), (name, .string(text))]))
  }

  private static func provider(_ name: String, _ body: JSONValue) -> AuthCredentials {
    .provider(name, body: Array(body.text.utf8))
  }
}
