import COpenSSL

/// XAES-256-GCM: AES-256 in GCM mode with nonces of 192 bits, so that random ones do not collide. C2SP XAES-256-GCM.
///
/// Encrypts and authenticates: a changed message, or one with other associated bytes, does not open. One key
/// takes 2^80 messages under random nonces; plain GCM takes 2^32.
///
///     let cipher = try XAES256GCM(key: key)                                 // 32 bytes
///     let sealed = try cipher.seal(message, nonce: nonce, associated: place) // 24 bytes of nonce; 16 bytes longer
///     try cipher.open(sealed, nonce: nonce, associated: place) == message
///
/// Not `Sendable`: the contexts are reused. Make one per thread or guard it.
public final class XAES256GCM {
  /// The size of a key in bytes.
  public static let keyByteCount = 32
  /// The size of a nonce in bytes.
  public static let nonceByteCount = 24
  /// The bytes by which a sealed message is longer than the plain one.
  public static let tagByteCount = 16

  private let deriving: OpaquePointer
  private let sealing: OpaquePointer
  private let opening: OpaquePointer
  /// The first subkey of CMAC, which turns one half of the nonce into a key.
  private var mask = [UInt8](repeating: 0, count: 16)

  // Immutable and reference counted by OpenSSL; all threads may use them.
  nonisolated(unsafe) private static let block: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
  nonisolated(unsafe) private static let counter: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// A cipher under `key`.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` when `key` is not 32 bytes.
  public init(key: [UInt8]) throws(CryptographyError) {
    guard key.count == Self.keyByteCount else {
      throw CryptographyError(.invalidKey, "an AES-256 key has 32 bytes, this one has \(key.count)")
    }
    guard let block = Self.block, let counter = Self.counter, let deriving = EVP_CIPHER_CTX_new() else {
      throw OpenSSLReason.failure("prepare AES-256-GCM")
    }
    self.deriving = deriving
    guard let sealing = EVP_CIPHER_CTX_new() else {
      EVP_CIPHER_CTX_free(deriving)
      throw OpenSSLReason.failure("prepare AES-256-GCM")
    }
    self.sealing = sealing
    guard let opening = EVP_CIPHER_CTX_new() else {
      EVP_CIPHER_CTX_free(deriving)
      EVP_CIPHER_CTX_free(sealing)
      throw OpenSSLReason.failure("prepare AES-256-GCM")
    }
    self.opening = opening
    guard EVP_EncryptInit_ex2(deriving, block, key, nil, nil) == 1, EVP_CIPHER_CTX_set_padding(deriving, 0) == 1,
      EVP_EncryptInit_ex2(sealing, counter, nil, nil, nil) == 1,
      EVP_DecryptInit_ex2(opening, counter, nil, nil, nil) == 1
    else { throw OpenSSLReason.failure("set the key of AES-256-GCM") }
    var size: Int32 = 0
    guard EVP_EncryptUpdate(deriving, &mask, &size, [UInt8](repeating: 0, count: 16), 16) == 1 else {
      throw OpenSSLReason.failure("derive a key")
    }
    let carry = mask[0] >> 7
    for index in 0..<16 { mask[index] = mask[index] << 1 | (index < 15 ? mask[index + 1] >> 7 : 0) }
    mask[15] ^= carry * 0x87
  }

  deinit {
    EVP_CIPHER_CTX_free(deriving)
    EVP_CIPHER_CTX_free(sealing)
    EVP_CIPHER_CTX_free(opening)
  }

  /// The sealed form of `plain`, 16 bytes longer.
  ///
  /// - Throws: ``CryptographyError/Code/invalidArgument`` for a nonce that is not 24 bytes.
  public func seal(
    _ plain: [UInt8], nonce: [UInt8], associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    try CipherArrays.filling(plain.count + Self.tagByteCount, from: plain, nonce, associated) {
      output, plain, nonce, associated throws(CryptographyError) in
      try seal(plain, nonce: nonce, associated: associated, into: output)
      return output.count
    }
  }

  /// The plain form of `sealed`.
  ///
  /// - Throws: ``CryptographyError/Code/decryptionFailed`` when key, nonce, associated bytes or sealed bytes differ
  ///   from those of the sealing.
  public func open(
    _ sealed: [UInt8], nonce: [UInt8], associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    try CipherArrays.filling(max(sealed.count - Self.tagByteCount, 0), from: sealed, nonce, associated) {
      output, sealed, nonce, associated throws(CryptographyError) in
      try open(sealed, nonce: nonce, associated: associated, into: output)
      return output.count
    }
  }

  /// Seals into `output`, which takes the plain text's bytes and 16 more and overlaps nothing. No allocation.
  ///
  /// - Throws: as ``seal(_:nonce:associated:)``; also when `output` is too small.
  public func seal(
    _ plain: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(CryptographyError) {
    try Self.check(nonce, plain.count, associated.count)
    guard output.count >= plain.count + Self.tagByteCount,
      let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { throw CryptographyError(.invalidArgument, "the output has \(output.count) bytes, too few for the seal") }
    var size: Int32 = 0
    var tail: Int32 = 0
    let isKeyed = withKey(nonce) { EVP_EncryptInit_ex2(sealing, nil, $0, $1, nil) == 1 }
    guard isKeyed,
      associated.isEmpty
        || EVP_EncryptUpdate(sealing, nil, &size, Self.bytes(associated), Int32(associated.count)) == 1,
      plain.isEmpty || EVP_EncryptUpdate(sealing, target, &size, Self.bytes(plain), Int32(plain.count)) == 1,
      EVP_EncryptFinal_ex(sealing, target + plain.count, &tail) == 1,
      EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), target + plain.count) == 1
    else { throw OpenSSLReason.failure("seal") }
  }

  /// Opens into `output`, which takes 16 bytes less than `sealed` and overlaps nothing. No allocation. When it throws,
  /// what `output` holds must not be used.
  ///
  /// - Throws: as ``open(_:nonce:associated:)``; also when `output` is too small.
  public func open(
    _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(CryptographyError) {
    let count = sealed.count - Self.tagByteCount
    guard count >= 0, let source = Self.bytes(sealed) else {
      throw CryptographyError(.decryptionFailed, "\(sealed.count) bytes are too few to hold a seal")
    }
    try Self.check(nonce, count, associated.count)
    guard output.count >= count else {
      throw CryptographyError(.invalidArgument, "the output has \(output.count) bytes, too few for the plain text")
    }
    let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var size: Int32 = 0
    var spare: UInt8 = 0
    let isKeyed = withKey(nonce) { EVP_DecryptInit_ex2(opening, nil, $0, $1, nil) == 1 }
    guard isKeyed,
      associated.isEmpty
        || EVP_DecryptUpdate(opening, nil, &size, Self.bytes(associated), Int32(associated.count)) == 1,
      count == 0 || EVP_DecryptUpdate(opening, target, &size, source, Int32(count)) == 1,
      EVP_CIPHER_CTX_ctrl(
        opening, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), UnsafeMutableRawPointer(mutating: source + count))
        == 1
    else { throw OpenSSLReason.failure("open") }
    guard EVP_DecryptFinal_ex(opening, &spare, &size) == 1 else {
      throw CryptographyError(
        .decryptionFailed, "the key is wrong, or the bytes were changed or moved", cause: OpenSSLReason.take())
    }
  }

  /// Calls `body` with the key that the first half of the nonce makes, and the second half.
  private func withKey(
    _ nonce: UnsafeRawBufferPointer, _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Bool
  ) -> Bool {
    typealias Blocks = (UInt64, UInt64, UInt64, UInt64)
    var input: Blocks = (0, 0, 0, 0)
    var key: Blocks = (0, 0, 0, 0)
    var size: Int32 = 0
    let done = withUnsafeMutableBytes(of: &input) { input in
      for half in 0..<2 {
        let start = half * 16
        input[start + 1] = UInt8(half + 1)
        input[start + 2] = 0x58
        for index in 0..<12 { input[start + 4 + index] = nonce[index] }
        for index in 0..<16 { input[start + index] ^= mask[index] }
      }
      return withUnsafeMutableBytes(of: &key) { key in
        guard let source = Self.bytes(UnsafeRawBufferPointer(input)),
          let target = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let rest = Self.bytes(UnsafeRawBufferPointer(rebasing: nonce[12...]))
        else { return false }
        defer { OPENSSL_cleanse(target, 32) }
        return EVP_EncryptUpdate(deriving, target, &size, source, 32) == 1 && body(target, rest)
      }
    }
    return done
  }

  private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  private static func check(
    _ nonce: UnsafeRawBufferPointer, _ count: Int, _ associated: Int
  ) throws(CryptographyError) {
    guard nonce.count == nonceByteCount else {
      throw CryptographyError(.invalidArgument, "a nonce has 24 bytes, not \(nonce.count)")
    }
    guard max(count, associated) <= Int(Int32.max) - tagByteCount else {
      throw CryptographyError(.invalidArgument, "one message is limited to 2 GiB, this one has \(count) bytes")
    }
  }
}
