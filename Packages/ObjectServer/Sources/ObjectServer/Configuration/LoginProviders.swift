public import Cryptography
public import Transport

/// Another system whose JSON Web Tokens log users in.
///
///     var provider = TokenProvider(name: "company")
///     provider.keySetURL = try NetworkURL("https://login.example.org/keys")
///     provider.rules.issuers = ["https://login.example.org/"]
public struct TokenProvider: Sendable {
  /// The name by which clients may choose this provider; letters, digits and hyphens.
  public var name: String
  /// Keys that are known from the start.
  public var keys: [VerificationKey] = []
  /// The address of a JSON Web Key Set, which is fetched when a token needs it, and cached.
  public var keySetURL: NetworkURL?
  /// The claims that a token needs.
  public var rules = ForeignTokenRules()
  /// The claim that is the user's identity; nil for `userId`, else `sub`.
  public var identityClaim: String?
  /// The claim that makes administrators.
  public var administratorClaim = "isAdmin"
  /// The value of that claim for administrators, written as in JSON without quotes.
  public var administratorValue = "true"

  /// A provider without keys.
  public init(name: String) { self.name = name }
}

/// A function of the operator that decides who a client is: an address that is sent the credentials.
public struct FunctionProvider: Sendable {
  /// The name by which clients choose this provider.
  public var name: String
  /// The address, which answers `POST` with the user's identity.
  public var url: NetworkURL
  /// A secret that is sent as a bearer token, for the function to know who asks; nil for none.
  public var secret: String?

  /// A function at an address.
  public init(name: String, url: NetworkURL, secret: String? = nil) {
    self.name = name
    self.url = url
    self.secret = secret
  }
}
