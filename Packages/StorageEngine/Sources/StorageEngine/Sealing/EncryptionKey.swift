import Cryptography

/// The 64 bytes that a file is encrypted with.
///
///     var configuration = StoreConfiguration()
///     configuration.key = EncryptionKey(bytes)
///
/// Each file has a key of its own, made of these bytes and a random salt in the file, so that nothing can be moved
/// between files. Content is sealed with XAES-256-GCM; see `Docs/Decisions/0004-encryption-of-files.md`.
public struct EncryptionKey: SealingKey {
  /// How many bytes a key has.
  public static let byteCount = 64

  private let bytes: [UInt8]
  public let fingerprint: [UInt8]

  /// - Precondition: there are 64 bytes.
  public init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "Encryption key must be exactly 64 bytes long")
    self.bytes = bytes
    fingerprint = Digest.sha256.hash(bytes)
  }

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
