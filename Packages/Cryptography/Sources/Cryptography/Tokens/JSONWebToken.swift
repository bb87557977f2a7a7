public import ByteCoding
import Foundation

/// A signed JSON Web Token in compact form, RFC 7519, read or about to be written.
///
///     let text = try JSONWebToken.sign(claims, with: key)
///     let token = try JSONWebToken.verify(text, with: [key.verificationKey], at: now)
///     let claims = try token.claims(as: AccessClaims.self)
///
/// The algorithm is that of the key, never what the token asks for: `alg: none` and a public key used as an HMAC
/// secret are refused.
public struct JSONWebToken: Hashable, Sendable {
  /// The header.
  public struct Header: Hashable, Sendable {
    /// `alg`, as written.
    public var algorithm: String
    /// `kid`, the key it was signed with.
    public var keyIdentifier: String?
  }

  /// The longest token read, in bytes.
  public static let maximumByteCount = 64 << 10

  /// The header.
  public let header: Header
  /// The claims as JSON text.
  public let payload: [UInt8]
  /// The claims that RFC 7519 names.
  public let registered: RegisteredClaims
  private let content: JSONValue

  /// The claim with a name; nil when there is none. O(claims).
  public subscript(claim name: String) -> JSONValue? { content[name] }

  /// All claims, decoded as `Claims`.
  ///
  /// - Throws: ``JSONWebTokenError/malformedClaims(_:)`` when the claims do not decode as `Claims`.
  public func claims<Claims: Decodable>(as type: Claims.Type) throws(JSONWebTokenError) -> Claims {
    do {
      return try JSONDecoder().decode(type, from: Data(payload))
    } catch {
      throw .malformedClaims(JSONReason.describe(error))
    }
  }

  /// A token with the claims of `claims`, keys sorted.
  ///
  /// - Parameters:
  ///   - claims: encodes as a JSON object. Times are seconds since 1970.
  ///   - key: signs, and decides about the algorithm.
  ///   - keyIdentifier: the `kid` of the header.
  /// - Throws: ``CryptographyError``; ``JSONWebTokenError/malformedClaims(_:)`` when it does not encode as an object.
  public static func sign(
    _ claims: some Encodable, with key: SigningKey, keyIdentifier: String? = nil
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let payload: [UInt8]
    do {
      payload = Array(try encoder.encode(claims))
    } catch {
      throw JSONWebTokenError.malformedClaims(JSONReason.describe(error))
    }
    return try sign(payload: payload, with: key, keyIdentifier: keyIdentifier)
  }

  /// A token over `payload`, the JSON text of an object.
  ///
  /// - Throws: ``CryptographyError``; ``JSONWebTokenError/malformedClaims(_:)`` when `payload` does not look like an object.
  public static func sign(payload: [UInt8], with key: SigningKey, keyIdentifier: String? = nil) throws -> String {
    guard payload.first == UInt8(ascii: "{") else {
      throw JSONWebTokenError.malformedClaims("the claims are not a JSON object")
    }
    var header = ["alg": key.algorithm.rawValue, "typ": "JWT"]
    header["kid"] = keyIdentifier
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let signed = Base64.url.encode(try encoder.encode(header)) + "." + Base64.url.encode(payload)
    return signed + "." + Base64.url.encode(try key.sign(Array(signed.utf8)))
  }

  /// The token in `text`, if one of `keys` signed it and it is valid at the given time.
  ///
  /// - Parameters:
  ///   - text: three parts of URL Base64 with dots between, at most ``maximumByteCount``.
  ///   - keys: tried in order; a key with an identifier only for tokens with that `kid`.
  ///   - secondsSince1970: the time by the caller's clock.
  ///   - leeway: seconds by which clocks may differ, for `exp` and `nbf`.
  /// - Throws: ``JSONWebTokenError`` when the text is malformed, no key fits, the signature is wrong, or the time is
  ///   outside of the token's.
  public static func verify(
    _ text: String, with keys: [VerificationKey], at secondsSince1970: Int64, leeway: Int64 = 0
  ) throws(JSONWebTokenError) -> JSONWebToken {
    let compact = try CompactToken(text)
    let token = try JSONWebToken(compact)
    guard let algorithm = SignatureAlgorithm(rawValue: token.header.algorithm) else {
      throw .unsupportedAlgorithm(token.header.algorithm)
    }
    let candidates = keys.filter { key in
      key.algorithm == algorithm && (key.keyIdentifier == nil || key.keyIdentifier == token.header.keyIdentifier)
    }
    guard !candidates.isEmpty else {
      throw .unknownKey(algorithm: token.header.algorithm, keyIdentifier: token.header.keyIdentifier)
    }
    guard candidates.contains(where: { $0.isValid(compact.signature, for: compact.signed) }) else {
      throw .badSignature
    }
    if let expiry = token.registered.expiresAt {
      let (end, overflow) = expiry.addingReportingOverflow(leeway)
      guard overflow || secondsSince1970 < end else { throw .expired(at: expiry) }
    }
    if let start = token.registered.notBefore {
      let (begin, overflow) = start.subtractingReportingOverflow(leeway)
      guard overflow || secondsSince1970 >= begin else { throw .notYetValid(until: start) }
    }
    return token
  }

  /// The token in `text` without any check of signature and times: for a client that only wants to know when its own
  /// token expires.
  ///
  /// - Throws: ``JSONWebTokenError/malformed(at:_:)`` when the text is no token, ``JSONWebTokenError/malformedClaims(_:)``
  ///   when its claims are no JSON object or have wrong types.
  public static func parseWithoutVerification(_ text: String) throws(JSONWebTokenError) -> JSONWebToken {
    try JSONWebToken(CompactToken(text))
  }

  private init(_ compact: CompactToken) throws(JSONWebTokenError) {
    header = compact.header
    payload = compact.payload
    guard let content = try? JSONValue(parsing: compact.payload) else {
      throw .malformedClaims("the claims cannot be read")
    }
    guard case .object = content else { throw .malformedClaims("the claims are no JSON object") }
    self.content = content
    registered = try RegisteredClaims(content)
  }
}
