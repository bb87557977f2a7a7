/// The reason why a token was not accepted.
public enum JSONWebTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a token; `at` is the offset in bytes, from 0.
  case malformed(at: Int, String)
  /// The claims do not decode as the requested type, or are no JSON object.
  case malformedClaims(String)
  /// The header names an algorithm that is not supported, `none` included.
  case unsupportedAlgorithm(String)
  /// No key was given for this algorithm and `kid`.
  case unknownKey(algorithm: String, keyIdentifier: String?)
  /// None of the keys made the signature.
  case badSignature
  /// The token was valid until `at`, seconds since 1970.
  case expired(at: Int64)
  /// The token is valid from `until` on, seconds since 1970.
  case notYetValid(until: Int64)

  /// The reason in words.
  public var description: String {
    switch self {
    case .malformed(let offset, let reason): "the token is malformed at byte \(offset): \(reason)"
    case .malformedClaims(let reason): "the token's claims are malformed: \(reason)"
    case .unsupportedAlgorithm: "the token is signed with an algorithm that is not supported: use HS256, RS256 or ES256"
    case .unknownKey(let algorithm, _):
      "the server has no \(algorithm) key for this token: check kid and the configured keys"
    case .badSignature: "the token's signature does not match: it was changed or signed with another key"
    case .expired(let time): "the token expired at \(time) (seconds since 1970): refresh it or log in again"
    case .notYetValid(let time): "the token is valid from \(time) (seconds since 1970) on: check the clocks"
    }
  }
}
