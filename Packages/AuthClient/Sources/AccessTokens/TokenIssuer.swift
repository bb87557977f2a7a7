public import Cryptography
import Telemetry

/// Makes signed tokens.
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
  /// - Throws: what `Cryptography` says when signing fails.
  public func sign(_ claims: TokenClaims) throws -> String {
    try JSONWebToken.sign(ClaimsOnTheWire(claims), with: key)
  }

  /// The means to check what this issuer made.
  public var verifier: TokenVerifier { TokenVerifier(keys: [key.verificationKey]) }
}
