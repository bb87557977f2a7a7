import COpenSSL

/// HMAC-SHA-256 under one key, with the key schedule computed once. RFC 2104.
///
///     let mac = try HMACSHA256(key: key)
///     let tag = mac.tag(for: message)   // 32 bytes
///     mac.isValid(tag, for: message)    // true, in constant time
///
/// Not `Sendable`: it reuses one context. Make one per thread or guard it.
public final class HMACSHA256 {
  /// The size of a tag in bytes.
  public static let tagByteCount = 32

  private let context: OpaquePointer

  // Immutable and reference counted by OpenSSL; all threads may use it.
  nonisolated(unsafe) private static let algorithm: OpaquePointer? = EVP_MAC_fetch(nil, "HMAC", nil)

  /// An authenticator under `key`, of any length, 32 bytes as a rule.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when OpenSSL has no HMAC.
  public init(key: [UInt8]) throws(CryptographyError) {
    guard let algorithm = Self.algorithm, let context = EVP_MAC_CTX_new(algorithm) else {
      throw OpenSSLReason.failure("prepare HMAC")
    }
    self.context = context
    // An absent key means "keep the previous one", so an empty key is given as one zero byte: padded, they are equal.
    let effectiveKey = key.isEmpty ? [0] : key
    let done = openrealm_hmac_sha256_init(context, effectiveKey, effectiveKey.count)
    guard done == 1 else { throw OpenSSLReason.failure("set the key of HMAC") }
  }

  deinit { EVP_MAC_CTX_free(context) }

  /// The tag of `message`, 32 bytes.
  public func tag(for message: [UInt8]) -> [UInt8] { message.withUnsafeBytes { tag(for: $0) } }

  /// The tag of the bytes in `message`, 32 bytes.
  public func tag(for message: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.tagByteCount) { output, count in
      begin()
      update(message)
      finish(into: UnsafeMutableRawBufferPointer(output))
      count = Self.tagByteCount
    }
  }

  /// Whether `tag` is the tag of `message`. Takes the same time wherever they differ.
  public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
    ConstantTime.areEqual(tag, self.tag(for: message))
  }

  /// Starts a message that is given in pieces.
  public func begin() {
    let done = EVP_MAC_init(context, nil, 0, nil)
    precondition(done == 1, "an HMAC context with a key can start a message")
  }

  /// Adds a piece of the message.
  public func update(_ piece: UnsafeRawBufferPointer) {
    guard piece.count > 0 else { return }
    let done = EVP_MAC_update(context, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), piece.count)
    precondition(done == 1, "an HMAC context that was started takes pieces")
  }

  /// Ends the message and writes its 32-byte tag to the start of `output`.
  public func finish(into output: UnsafeMutableRawBufferPointer) {
    precondition(output.count >= Self.tagByteCount, "an HMAC-SHA-256 tag takes 32 bytes")
    var size = 0
    let done = EVP_MAC_final(context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &size, output.count)
    precondition(done == 1 && size == Self.tagByteCount, "an HMAC context that was started gives a tag")
  }

  /// The tag of `message` under `key`, for single uses.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when OpenSSL has no HMAC.
  public static func tag(for message: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try HMACSHA256(key: key).tag(for: message)
  }
}
