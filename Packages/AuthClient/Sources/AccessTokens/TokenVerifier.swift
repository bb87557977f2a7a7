public import Cryptography
import Permissions
public import Telemetry

/// Verifies tokens and reads their claims. A value, safe on any thread.
///
///     let claims = try verifier.verify(text, kind: .access, at: clock.wallTime)
///     claims.user   // the bearer, proven
public struct TokenVerifier: Sendable {
  /// The keys that are accepted, each for its own algorithm only.
  public let keys: [VerificationKey]

  /// The keys that were replaced.
  public let retired: [RetiredTokenKey]

  /// A verifier that accepts tokens signed with any of `keys`, and those that `retired` keys signed before.
  public init(keys: [VerificationKey], retired: [RetiredTokenKey] = []) {
    self.keys = keys
    self.retired = retired
  }

  /// The claims of a token that one of the keys signed, that is of the wanted kind and has not expired.
  ///
  /// Tokens of other issuers without a kind count as access tokens.
  ///
  /// - Parameter time: now, by the server's own clock.
  /// - Throws: ``TokenError`` when the token has expired, is of the other kind, or is invalid.
  /// - Complexity: O(keys) signature checks.
  public func verify(_ text: String, kind: TokenKind, at time: WallTime) throws(TokenError) -> TokenClaims {
    let token: JSONWebToken
    let before = retired.filter { kind == .refresh || time < $0.acceptsAccessUntil }.map(\.key)
    do {
      token = try JSONWebToken.verify(text, with: keys + before, at: time.secondsSince1970)
    } catch .expired {
      throw TokenError(.expired, "the token has expired: refresh it or log in again")
    } catch {
      throw TokenError(.invalid, "\(error)")
    }
    let wire: ClaimsOnTheWire
    do {
      wire = try ClaimsOnTheWire(token)
    } catch {
      throw TokenError(.invalid, "\(error)")
    }
    guard !wire.sub.isEmpty else { throw TokenError(.invalid, "the token names no user: log in again") }
    guard wire.typ ?? .access == kind else {
      throw TokenError(.wrongKind, "this needs the \(kind.rawValue) token, not the other one")
    }
    return wire.claims(kind: kind)
  }

  /// The claims of a token without any check: for a client that reads the expiry of its own token.
  ///
  /// - Throws: ``TokenError`` with ``TokenError/Code/invalid`` when the text is no token.
  public static func readWithoutVerification(_ text: String) throws(TokenError) -> TokenClaims {
    do {
      let wire = try ClaimsOnTheWire(JSONWebToken.parseWithoutVerification(text))
      return wire.claims(kind: wire.typ ?? .access)
    } catch {
      throw TokenError(.invalid, "the server's token cannot be read: \(error)")
    }
  }
}
