public import Cryptography
import Permissions
public import Telemetry

/// Checks tokens and reads them.
///
///     let claims = try verifier.verify(text, kind: .access, at: clock.wallTime)
///     claims.user   // the bearer, proven
public struct TokenVerifier: Sendable {
  /// The keys that are accepted, each for its own algorithm only.
  public let keys: [VerificationKey]

  /// A verifier that accepts tokens signed with any of `keys`.
  public init(keys: [VerificationKey]) { self.keys = keys }

  /// The claims of `text`, if one of the keys signed it, it is of the wanted kind and has not expired.
  ///
  /// Tokens of other makers that say no kind are taken for access tokens.
  ///
  /// - Parameter time: now, by the server's own clock.
  /// - Throws: ``TokenError``
  public func verify(_ text: String, kind: TokenKind, at time: WallTime) throws(TokenError) -> TokenClaims {
    let token: JSONWebToken
    do {
      token = try JSONWebToken.verify(text, with: keys, at: time.secondsSince1970)
    } catch .expired {
      throw TokenError(.expired, "the token has expired: refresh it or log in again")
    } catch {
      throw TokenError(.invalid, "\(error)")
    }
    let wire: ClaimsOnTheWire
    do {
      wire = try token.claims(as: ClaimsOnTheWire.self)
    } catch {
      throw TokenError(.invalid, "\(error)")
    }
    guard !wire.sub.isEmpty else { throw TokenError(.invalid, "the token names no user: log in again") }
    guard wire.typ ?? .access == kind else {
      throw TokenError(.wrongKind, "this needs the \(kind.rawValue) token, not the other one")
    }
    return wire.claims(kind: kind)
  }

  /// The claims of `text` without any check: for a client that wants to know when its own token expires.
  ///
  /// - Throws: ``TokenError`` with ``TokenError/Code/invalid``
  public static func readWithoutVerification(_ text: String) throws(TokenError) -> TokenClaims {
    do {
      let wire = try JSONWebToken.parseWithoutVerification(text).claims(as: ClaimsOnTheWire.self)
      return wire.claims(kind: wire.typ ?? .access)
    } catch {
      throw TokenError(.invalid, "the server's token cannot be read: \(error)")
    }
  }
}
