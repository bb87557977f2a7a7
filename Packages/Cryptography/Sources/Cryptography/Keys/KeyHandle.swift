import COpenSSL
import Synchronization

// @unchecked Sendable: the key is never changed after it was made, and OpenSSL lets any number of threads use one key,
// each operation with a context of its own, as is done here.
/// Owns one `EVP_PKEY`.
final class KeyHandle: @unchecked Sendable {
  let key: OpaquePointer

  /// Takes over the reference that the caller holds.
  init(adopting key: OpaquePointer) { self.key = key }

  deinit {
    for context in contexts.withLock({ $0 }) { EVP_PKEY_CTX_free(context.pointer) }
    EVP_PKEY_free(key)
  }

  /// The most contexts that are kept: as many threads verify at a time without preparing one.
  private static let maximumContexts = 16
  /// Contexts that are prepared to verify. Preparing one costs a third of an RSA verification.
  private let contexts = Mutex<[PreparedContext]>([])

  // @unchecked Sendable: used by one thread at a time, which took it out of `contexts`.
  private struct PreparedContext: @unchecked Sendable {
    var pointer: OpaquePointer
  }

  /// Whether `signature`, as OpenSSL has it, is a signature over the SHA-256 of `message`.
  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let context = contexts.withLock({ $0.popLast() }) ?? preparedContext() else { return false }
    let digest = Digest.sha256.hash(message)
    let isValid = EVP_PKEY_verify(context.pointer, signature, signature.count, digest, digest.count) == 1
    if !isValid { ERR_clear_error() }
    let isKept = contexts.withLock { contexts in
      guard contexts.count < Self.maximumContexts else { return false }
      contexts.append(context)
      return true
    }
    if !isKept { EVP_PKEY_CTX_free(context.pointer) }
    return isValid
  }

  private func preparedContext() -> PreparedContext? {
    guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
    guard EVP_PKEY_verify_init(context) == 1, EVP_PKEY_CTX_set_signature_md(context, Digest.sha256.algorithm) == 1
    else {
      EVP_PKEY_CTX_free(context)
      ERR_clear_error()
      return nil
    }
    return PreparedContext(pointer: context)
  }

  /// The algorithm that this key signs with.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` when the key is neither RSA of 2048 bits and more nor on P-256.
  func algorithm() throws(CryptographyError) -> SignatureAlgorithm {
    if EVP_PKEY_is_a(key, "RSA") == 1 {
      guard EVP_PKEY_get_bits(key) >= 2_048 else {
        throw CryptographyError(
          .invalidKey, "an RSA key needs at least 2048 bits, this one has \(EVP_PKEY_get_bits(key))")
      }
      return .rs256
    }
    if EVP_PKEY_is_a(key, "EC") == 1 {
      var name = [CChar](repeating: 0, count: 64)
      var count = 0
      EVP_PKEY_get_group_name(key, &name, name.count, &count)
      let curve = String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard curve == "prime256v1" else {
        throw CryptographyError(.invalidKey, "an elliptic curve key must be on P-256, this one is on \(curve)")
      }
      return .es256
    }
    throw CryptographyError(.invalidKey, "the key is neither RSA nor on the curve P-256")
  }

  /// Reads a PEM text with `read`, one of OpenSSL's PEM readers.
  ///
  /// - Throws: ``CryptographyError/Code/malformedPEM`` when `read` finds no key.
  static func read(
    pem: String, _ read: (OpaquePointer) -> OpaquePointer?
  ) throws(CryptographyError) -> KeyHandle {
    let bytes = Array(pem.utf8)
    let key = bytes.withUnsafeBytes { buffer -> OpaquePointer? in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return nil }
      defer { BIO_free(bio) }
      return read(bio)
    }
    guard let key else {
      throw CryptographyError(
        .malformedPEM, "the PEM text holds no usable key: it must be unencrypted and complete",
        cause: OpenSSLReason.take())
    }
    ERR_clear_error()
    return KeyHandle(adopting: key)
  }

  /// Writes a PEM text with `write`, one of OpenSSL's PEM writers.
  static func write(_ write: (OpaquePointer) -> Int32) throws(CryptographyError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLReason.failure("allocate a buffer") }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { throw OpenSSLReason.failure("write the key") }
    var data: UnsafePointer<CChar>?
    let count = openrealm_bio_memory(bio, &data)
    return String(decoding: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
  }
}

/// An algorithm of token signatures. RFC 7518.
public enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// HMAC with SHA-256: one shared secret.
  case hs256 = "HS256"
  /// RSA PKCS #1 v1.5 with SHA-256.
  case rs256 = "RS256"
  /// ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each.
  case es256 = "ES256"
}
