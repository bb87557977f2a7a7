import FoundationEssentials

extension AuthCredentials {
  /// The provider of logins without a name.
  static let anonymousProvider = "anon-user"

  /// The provider of a login and the body that it asks for; nil for tokens, for which no server is asked.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when a text cannot be encoded.
  var loginBody: (provider: String, body: [UInt8])? {
    get throws(AuthError) {
      switch proof {
      case .password(let name, let password, _):
        ("local-userpass", try Self.json(LoginBody(provider: "local-userpass", username: name, password: password)))
      case .anonymous: (Self.anonymousProvider, try Self.json(LoginBody(provider: Self.anonymousProvider)))
      case .customToken(let token):
        ("custom-token", try Self.json(LoginBody(provider: "custom-token", token: token)))
      case .apiKey(let key): ("api-key", try Self.json(LoginBody(provider: "api-key", key: key)))
      case .provider(let name, let body): (name, body)
      case .tokens, .legacy: nil
      }
    }
  }

  private static func json(_ body: LoginBody) throws(AuthError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(body)) } catch {
      throw AuthError(.invalidParameter, "the credentials cannot be encoded", remedy: "use valid Unicode", cause: error)
    }
  }
}
