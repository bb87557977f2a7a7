import Foundation

/// The public keys of an issuer of tokens, as it publishes them: a JSON Web Key Set, RFC 7517.
///
///     let set = try JSONWebKeySet(json: bytes)
///     let token = try JSONWebToken.verify(text, with: set.keys, at: now)
public struct JSONWebKeySet: Sendable {
  /// The keys that sign with RS256 or ES256, in their order; those with a `kid` for tokens with that one only. Keys of other
  /// kinds and for other uses are left out.
  public let keys: [VerificationKey]

  /// The most keys that a set may have.
  public static let maximumKeys = 100

  /// The set in a JSON text.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` when the text is no key set, has too many keys, or a key that it says to
  ///   be for signatures cannot be used.
  public init(json: [UInt8]) throws(CryptographyError) {
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: Data(json))
    } catch {
      throw CryptographyError(.invalidKey, "the text is not a JSON Web Key Set: \(JSONReason.describe(error))")
    }
    guard content.keys.count <= Self.maximumKeys else {
      throw CryptographyError(.invalidKey, "the key set has \(content.keys.count) keys, more than \(Self.maximumKeys)")
    }
    var keys: [VerificationKey] = []
    for entry in content.keys {
      guard entry.use ?? "sig" == "sig", let key = try Self.key(entry) else { continue }
      keys.append(entry.kid.map { key.identified(by: $0) } ?? key)
    }
    self.keys = keys
  }

  private struct Content: Decodable {
    var keys: [Entry]
  }

  private struct Entry: Decodable {
    var kty: String
    var use: String?
    var alg: String?
    var kid: String?
    var n: String?
    var e: String?
    var crv: String?
    var x: String?
    var y: String?
  }

  private static func key(_ entry: Entry) throws(CryptographyError) -> VerificationKey? {
    switch (entry.kty, entry.alg ?? "") {
    case ("RSA", ""), ("RSA", "RS256"):
      guard let modulus = number(entry.n), let exponent = number(entry.e), modulus.count <= 1_024 else {
        throw unusable(entry)
      }
      return try VerificationKey(pem: pem(PublicKeyInfo.rsa(modulus: modulus, exponent: exponent)))
    case ("EC", ""), ("EC", "ES256"):
      guard entry.crv == "P-256" else { return nil }
      guard let x = number(entry.x), let y = number(entry.y), x.count == 32, y.count == 32 else {
        throw unusable(entry)
      }
      return try VerificationKey(pem: pem(PublicKeyInfo.p256(x: x, y: y)))
    default: return nil
    }
  }

  private static func number(_ text: String?) -> [UInt8]? {
    guard let text, text.utf8.count <= 4_096, let bytes = try? Base64.url.decode(text), !bytes.isEmpty else {
      return nil
    }
    return bytes
  }

  private static func pem(_ der: [UInt8]) -> String {
    let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
  }

  private static func unusable(_ entry: Entry) -> CryptographyError {
    CryptographyError(.invalidKey, "the key '\(entry.kid ?? "without kid")' of the set lacks its numbers")
  }
}
