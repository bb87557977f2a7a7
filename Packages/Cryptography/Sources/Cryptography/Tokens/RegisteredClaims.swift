import Foundation

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

  init(payload: [UInt8]) throws(JSONWebTokenError) {
    let fields: Fields
    do {
      fields = try JSONDecoder().decode(Fields.self, from: Data(payload))
    } catch {
      throw .malformedClaims(JSONReason.describe(error))
    }
    issuer = fields.iss
    subject = fields.sub
    audience = fields.aud?.values ?? []
    expiresAt = fields.exp?.seconds
    notBefore = fields.nbf?.seconds
    issuedAt = fields.iat?.seconds
    identifier = fields.jti
  }

  private struct Fields: Decodable {
    var iss: String?
    var sub: String?
    var aud: Audience?
    var exp: NumericDate?
    var nbf: NumericDate?
    var iat: NumericDate?
    var jti: String?
  }

  private struct Audience: Decodable {
    var values: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let single = try? container.decode(String.self) {
        values = [single]
      } else {
        values = try container.decode([String].self)
      }
    }
  }

  /// A number of seconds that may have a fraction, which is dropped towards the past.
  private struct NumericDate: Decodable {
    var seconds: Int64

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let whole = try? container.decode(Int64.self) {
        seconds = whole
        return
      }
      let number = try container.decode(Double.self)
      guard let whole = Int64(exactly: number.rounded(.down)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
      }
      seconds = whole
    }
  }
}
