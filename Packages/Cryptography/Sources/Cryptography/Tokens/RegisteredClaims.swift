import ByteCoding

/// The claims that RFC 7519 names; nil where the token has none. Times are seconds since 1970.
public struct RegisteredClaims: Hashable, Sendable {
  /// `iss`: the issuer of the token.
  public var issuer: String?
  /// `sub`: the subject of the token, a user for example.
  public var subject: String?
  /// `aud`: the intended readers; one string or a list in the text.
  public var audience: [String]
  /// `exp`: the end of the validity.
  public var expiresAt: Int64?
  /// `nbf`: the begin of the validity.
  public var notBefore: Int64?
  /// `iat`: the time of the issue.
  public var issuedAt: Int64?
  /// `jti`: a name that distinguishes tokens.
  public var identifier: String?

  init(_ claims: JSONValue) throws(JSONWebTokenError) {
    issuer = try Self.text("iss", of: claims)
    subject = try Self.text("sub", of: claims)
    audience = try Self.audience(of: claims)
    expiresAt = try Self.time("exp", of: claims)
    notBefore = try Self.time("nbf", of: claims)
    issuedAt = try Self.time("iat", of: claims)
    identifier = try Self.text("jti", of: claims)
  }

  private static func text(_ name: String, of claims: JSONValue) throws(JSONWebTokenError) -> String? {
    switch claims[name] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw .malformedClaims("\(name) has the wrong type")
    }
  }

  private static func audience(of claims: JSONValue) throws(JSONWebTokenError) -> [String] {
    switch claims["aud"] {
    case nil, .null?: return []
    case .string(let single)?: return [single]
    case .array(let several)?:
      let texts = several.compactMap(\.string)
      guard texts.count == several.count else { throw .malformedClaims("aud has the wrong type") }
      return texts
    default: throw .malformedClaims("aud has the wrong type")
    }
  }

  /// A number of seconds that may have a fraction, which is dropped towards the past.
  private static func time(_ name: String, of claims: JSONValue) throws(JSONWebTokenError) -> Int64? {
    switch claims[name] {
    case nil, .null?: return nil
    case .number(let digits)?:
      if let whole = Int64(digits) { return whole }
      guard let number = Double(digits), let whole = Int64(exactly: number.rounded(.down)) else {
        throw .malformedClaims("\(name) cannot be read")
      }
      return whole
    default: throw .malformedClaims("\(name) has the wrong type")
    }
  }
}
