public import Cryptography
public import Telemetry

/// Signs tokens. A value, safe on any thread.
///
///     let issuer = TokenIssuer(key: try .sharedSecret(secret))
///     let text = try issuer.sign(claims)    // "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…"
public struct TokenIssuer: Sendable {
  /// The key that signs: a shared secret (HS256) or an RSA key (RS256).
  public let key: SigningKey
  /// The name of the key, which stands in the tokens as `kid`; nil for none.
  public let keyIdentifier: String?
  /// The keys that signed before.
  public let retired: [RetiredTokenKey]

  /// An issuer that signs with `key`.
  ///
  /// - Parameters:
  ///   - keyIdentifier: the name of the key in tokens.
  ///   - retired: the keys that signed before, whose tokens are verified still.
  public init(key: SigningKey, keyIdentifier: String? = nil, retired: [RetiredTokenKey] = []) {
    self.key = key
    self.keyIdentifier = keyIdentifier
    self.retired = retired
  }

  /// The token with these claims.
  ///
  /// - Throws: the error of `Cryptography` when signing fails.
  public func sign(_ claims: TokenClaims) throws -> String {
    try JSONWebToken.sign(ClaimsOnTheWire(claims), with: key, keyIdentifier: keyIdentifier)
  }

  /// The verifier of this issuer's tokens.
  public var verifier: TokenVerifier { TokenVerifier(keys: [key.verificationKey], retired: retired) }
}

/// A key that signed tokens until it was replaced. Refresh tokens that it signed are good as long as their login, because a
/// login is looked up in the directory as well; access tokens for a short time only.
public struct RetiredTokenKey: Sendable {
  /// The key.
  public var key: VerificationKey
  /// The time from which its access tokens are refused.
  public var acceptsAccessUntil: WallTime

  /// A retired key.
  public init(key: VerificationKey, acceptsAccessUntil: WallTime) {
    self.key = key
    self.acceptsAccessUntil = acceptsAccessUntil
  }
}
