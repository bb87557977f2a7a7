import Cryptography

/// The 64-byte key of an encrypted file.
///
///     var configuration = StoreConfiguration()
///     configuration.key = EncryptionKey(bytes)
///
/// Each file has a key of its own, derived from these bytes and a random salt in the file, so content cannot be moved
/// between files. Content is sealed with XAES-256-GCM; see `Docs/Decisions/0004-encryption-of-files.md`.
public struct EncryptionKey: SealingKey {
  /// The bytes of a key.
  public static let byteCount = 64

  private let bytes: [UInt8]
  /// The SHA-256 of the key.
  public let fingerprint: [UInt8]

  /// A key of 64 bytes.
  ///
  /// - Precondition: there are 64 bytes.
  public init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "Encryption key must be exactly 64 bytes long")
    self.bytes = bytes
    fingerprint = Digest.sha256.hash(bytes)
  }

  /// The sealing of the file with a salt.
  ///
  /// - Throws: ``StorageError`` with code `ioFailed` when the cryptographic library fails.
  public func sealing(salt: [UInt8]) throws -> any Sealing {
    do {
      func derived(_ purpose: String) throws -> [UInt8] {
        try HMACSHA256.tag(for: Array("OpenRealm \(purpose) 1".utf8) + salt, key: bytes)
      }
      return try FileSealing(key: derived("content"), fingerprint: [1] + derived("fingerprint").prefix(16))
    } catch let error as CryptographyError {
      throw StorageError(.ioFailed, "The system could not prepare the encryption of a file.", cause: error)
    }
  }
}
