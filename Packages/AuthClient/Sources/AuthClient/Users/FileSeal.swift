import Cryptography
import FoundationEssentials

/// Seals whole small files under a key: a mark, a random nonce, and the content under XAES-256-GCM. Safe from any thread.
struct FileSeal: Sendable {
  private static let mark = Array("OpenRealm sealed users 1\n".utf8)
  private let key: [UInt8]

  /// A seal under a secret of 32 bytes or more.
  ///
  /// - Throws: ``AuthError/Code/storage`` for a shorter one.
  init(key: [UInt8]) throws(AuthError) {
    let derived = try? HMACSHA256.tag(for: Self.mark, key: key)
    guard key.count >= XAES256GCM.keyByteCount, let derived else {
      throw AuthError(
        .storage, "a key for the file of users has 32 bytes or more, this one has \(key.count)",
        remedy: "use the key of an encrypted realm, or 32 random bytes")
    }
    self.key = derived
  }

  /// Whether a file carries the mark.
  static func isSealed(_ data: Data) -> Bool { data.starts(with: mark) }

  func seal(_ plain: Data) throws(CryptographyError) -> Data {
    let nonce = try SecureRandom.bytes(count: XAES256GCM.nonceByteCount)
    return Data(Self.mark + nonce)
      + Data(try XAES256GCM(key: key).seal(Array(plain), nonce: nonce, associated: Self.mark))
  }

  /// Opens what ``seal(_:)`` has made.
  ///
  /// - Throws: `CryptographyError` for another key, or changed bytes.
  func open(_ data: Data) throws(CryptographyError) -> Data {
    let body = Array(data.dropFirst(Self.mark.count))
    guard body.count >= XAES256GCM.nonceByteCount else {
      throw CryptographyError(.decryptionFailed, "the sealed file is cut off")
    }
    let nonce = Array(body.prefix(XAES256GCM.nonceByteCount))
    return Data(
      try XAES256GCM(key: key).open(
        Array(body.dropFirst(nonce.count)), nonce: nonce, associated: Self.mark))
  }
}
