import ByteCoding
import Cryptography

/// The tokens of offers as the directory holds them: a digest to find an offer by, and the token itself encrypted, because whoever
/// made the offer may read it again. The key comes from the one that seals the directory, so that the database alone opens nothing.
struct OfferTokens {
  private let cipher: XAES256GCM

  /// - Parameter key: 32 bytes, the key of the directory's seals.
  init(key: [UInt8]) throws {
    cipher = try XAES256GCM(key: HMACSHA256(key: key).tag(for: Array("tokens of offers".utf8)))
  }

  /// The key of an offer's row: 64 hexadecimal digits.
  static func digest(of token: String) -> String { hexText(Digest.sha256.hash(Array(token.utf8))) }

  /// The token, encrypted. Equal tokens have equal results; the nonce is a part of the token's digest, so no other token has it.
  func hidden(_ token: String) throws -> [UInt8] {
    try cipher.seal(Array(token.utf8), nonce: Self.nonce(Self.digest(of: token)))
  }

  /// The token of a row; nil when it is not the one that the digest was made of.
  func shown(_ hidden: [UInt8], digest: String) -> String? {
    guard let bytes = try? cipher.open(hidden, nonce: Self.nonce(digest)) else { return nil }
    let token = String(decoding: bytes, as: UTF8.self)
    return Self.digest(of: token) == digest ? token : nil
  }

  private static func nonce(_ digest: String) -> [UInt8] {
    Array((hexBytes(digest) ?? []).prefix(XAES256GCM.nonceByteCount))
  }
}
