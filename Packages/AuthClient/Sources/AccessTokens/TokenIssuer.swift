public import Cryptography
import Telemetry

/// Signs tokens. A value, safe on any thread.
///
///     let issuer = TokenIssuer(key: try .sharedSecret(secret))
///     let text = try issuer.sign(claims)    // "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…"
public struct TokenIssuer: Sendable {
  /// The key that signs: a shared secret (HS256) or an RSA key (RS256).
  public let key: SigningKey

  /// An issuer that signs with `key`.
  public init(key: SigningKey) { self.key = key }

  /// The token with these claims.
  ///
  /// - Throws: the error of `Cryptography` when signing fails.
  public func sign(_ claims: TokenClaims) throws -> String {
    try JSONWebToken.sign(ClaimsOnTheWire(claims), with: key)
  }

  /// The verifier of this issuer's tokens.
  public var verifier: TokenVerifier { TokenVerifier(keys: [key.verificationKey]) }
}
