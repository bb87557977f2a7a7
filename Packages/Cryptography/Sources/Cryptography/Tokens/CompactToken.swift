import ByteCoding
import Foundation

/// The three parts of a token's compact form, decoded.
struct CompactToken {
  var header: JSONWebToken.Header
  var payload: [UInt8]
  var signature: [UInt8]
  /// The bytes that are signed: the first two parts as written, with their dot.
  var signed: [UInt8]

  init(_ text: String) throws(JSONWebTokenError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= JSONWebToken.maximumByteCount else {
      throw .malformed(at: JSONWebToken.maximumByteCount, "the token is too long")
    }
    let dot = UInt8(ascii: ".")
    guard let left = bytes.firstIndex(of: dot), let right = bytes[(left + 1)...].firstIndex(of: dot) else {
      throw .malformed(at: bytes.count, "a token has three parts with dots between")
    }
    if let third = bytes[(right + 1)...].firstIndex(of: dot) {
      throw .malformed(at: third, "a token has three parts with dots between")
    }
    let headerBytes = try Self.decode(bytes[..<left], from: 0)
    payload = try Self.decode(bytes[(left + 1)..<right], from: left + 1)
    signature = try Self.decode(bytes[(right + 1)...], from: right + 1)
    signed = Array(bytes[..<right])
    guard let fields = try? JSONValue(parsing: headerBytes), let algorithm = fields["alg"]?.string else {
      throw .malformed(at: 0, "the header is not a JSON object with an alg")
    }
    // RFC 7515, 4.1.11: a reader must understand the extensions listed in `crit`. We understand none.
    guard fields["crit"] ?? .null == .null else {
      throw .malformed(at: 0, "the header demands extensions that are not known")
    }
    let identifier = fields["kid"] ?? .null
    guard identifier == .null || identifier.string != nil else { throw .malformed(at: 0, "the kid is not a text") }
    header = JSONWebToken.Header(algorithm: algorithm, keyIdentifier: identifier.string)
  }

  private static func decode(_ part: ArraySlice<UInt8>, from offset: Int) throws(JSONWebTokenError) -> [UInt8] {
    do {
      return try Base64.url.decode(bytes: part)
    } catch {
      throw .malformed(at: offset + error.offset, error.reason.rawValue)
    }
  }
}

/// The reasons of JSON errors in words, without quoting values, which may be secret.
enum JSONReason {
  static func describe(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.isEmpty ? "the claims" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, _): return "the claim \(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context): return "\(path(context)) has the wrong type"
    case DecodingError.valueNotFound(_, let context): return "\(path(context)) is null"
    case DecodingError.dataCorrupted(let context): return "\(path(context)) cannot be read"
    default: return "the claims cannot be read or written as JSON"
    }
  }
}
