import COpenSSL

/// AES-256 in CBC mode under one key, with an initialisation vector per message. NIST SP 800-38A.
///
/// CBC encrypts and does not authenticate: authenticate the cipher text with ``HMACSHA256``, and never use a vector twice.
///
///     let cipher = try AES256CBC(key: key)                  // 32 bytes
///     let sealed = try cipher.encrypt(message, vector: iv)  // 16 bytes of vector; rounded up to the next block
///     try cipher.decrypt(sealed, vector: iv) == message
///
/// Not `Sendable`: the contexts, with their expanded keys, are reused. Make one per thread or guard it.
public final class AES256CBC {
  /// The filling of the last block.
  public enum Padding: Hashable, Sendable {
    /// PKCS 7: 1 to 16 bytes are added, any length can be encrypted.
    case pkcs7
    /// Nothing is added; the length must be a multiple of 16.
    case none
  }

  /// The size of a key in bytes.
  public static let keyByteCount = 32
  /// The size of a block and of an initialisation vector in bytes.
  public static let blockByteCount = 16

  private let encryptor: OpaquePointer
  private let decryptor: OpaquePointer

  // Immutable and reference counted by OpenSSL; all threads may use it.
  nonisolated(unsafe) private static let algorithm: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)

  /// A cipher under `key`.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` when `key` is not 32 bytes.
  public init(key: [UInt8]) throws(CryptographyError) {
    guard key.count == Self.keyByteCount else {
      throw CryptographyError(.invalidKey, "an AES-256 key has 32 bytes, this one has \(key.count)")
    }
    guard let algorithm = Self.algorithm, let encryptor = EVP_CIPHER_CTX_new() else {
      throw OpenSSLReason.failure("prepare AES-256-CBC")
    }
    guard let decryptor = EVP_CIPHER_CTX_new() else {
      EVP_CIPHER_CTX_free(encryptor)
      throw OpenSSLReason.failure("prepare AES-256-CBC")
    }
    self.encryptor = encryptor
    self.decryptor = decryptor
    guard EVP_EncryptInit_ex2(encryptor, algorithm, key, nil, nil) == 1,
      EVP_DecryptInit_ex2(decryptor, algorithm, key, nil, nil) == 1
    else { throw OpenSSLReason.failure("set the key of AES-256-CBC") }
  }

  deinit {
    EVP_CIPHER_CTX_free(encryptor)
    EVP_CIPHER_CTX_free(decryptor)
  }

  /// The size in bytes of the cipher text of `count` bytes.
  public static func encryptedByteCount(for count: Int, padding: Padding = .pkcs7) -> Int {
    padding == .none ? count : (count / blockByteCount + 1) * blockByteCount
  }

  /// The cipher text of `plain` under `vector`.
  ///
  /// - Throws: ``CryptographyError/Code/invalidArgument`` for a vector that is not 16 bytes, or a length that is not a
  ///   multiple of 16 without padding.
  public func encrypt(
    _ plain: [UInt8], vector: [UInt8], padding: Padding = .pkcs7
  ) throws(CryptographyError) -> [UInt8] {
    try CipherArrays.filling(Self.encryptedByteCount(for: plain.count, padding: padding), from: plain, vector) {
      output, plain, vector, _ throws(CryptographyError) in
      try encrypt(plain, vector: vector, into: output, padding: padding)
    }
  }

  /// The plain text of `sealed` under `vector`.
  ///
  /// - Throws: ``CryptographyError/Code/decryptionFailed`` when the length or the padding cannot be right;
  ///   ``CryptographyError/Code/invalidArgument`` for a vector that is not 16 bytes.
  public func decrypt(
    _ sealed: [UInt8], vector: [UInt8], padding: Padding = .pkcs7
  ) throws(CryptographyError) -> [UInt8] {
    try CipherArrays.filling(sealed.count, from: sealed, vector) {
      output, sealed, vector, _ throws(CryptographyError) in
      try decrypt(sealed, vector: vector, into: output, padding: padding)
    }
  }

  /// Encrypts into `output`, which has at least ``encryptedByteCount(for:padding:)`` bytes and does not overlap `plain`
  /// unless it starts at the same address. No allocation.
  ///
  /// - Returns: the number of bytes written.
  /// - Throws: as ``encrypt(_:vector:padding:)``; also when `output` is too small.
  public func encrypt(
    _ plain: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    padding: Padding = .pkcs7
  ) throws(CryptographyError) -> Int {
    try Self.check(vector, input: plain.count)
    guard padding == .pkcs7 || plain.count % Self.blockByteCount == 0 else {
      throw CryptographyError(.invalidArgument, "without padding the length is a multiple of 16, not \(plain.count)")
    }
    guard output.count >= Self.encryptedByteCount(for: plain.count, padding: padding) else {
      throw CryptographyError(.invalidArgument, "the output has \(output.count) bytes, too few for the cipher text")
    }
    if output.isEmpty { return 0 }
    let vectorBytes = vector.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var head: Int32 = 0
    var tail: Int32 = 0
    guard EVP_EncryptInit_ex2(encryptor, nil, nil, vectorBytes, nil) == 1,
      EVP_CIPHER_CTX_set_padding(encryptor, padding == .pkcs7 ? 1 : 0) == 1,
      plain.isEmpty
        || EVP_EncryptUpdate(
          encryptor, target, &head, plain.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(plain.count)) == 1,
      EVP_EncryptFinal_ex(encryptor, target?.advanced(by: Int(head)), &tail) == 1
    else { throw OpenSSLReason.failure("encrypt") }
    return Int(head) + Int(tail)
  }

  /// Decrypts into `output`, which has at least as many bytes as `sealed` and does not overlap it unless it starts at
  /// the same address. No allocation.
  ///
  /// - Returns: the number of bytes of plain text.
  /// - Throws: as ``decrypt(_:vector:padding:)``; also when `output` is too small.
  public func decrypt(
    _ sealed: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    padding: Padding = .pkcs7
  ) throws(CryptographyError) -> Int {
    try Self.check(vector, input: sealed.count)
    guard sealed.count % Self.blockByteCount == 0, padding == .none || !sealed.isEmpty else {
      throw CryptographyError(.decryptionFailed, "the cipher text has \(sealed.count) bytes, which is not whole blocks")
    }
    guard output.count >= sealed.count else {
      throw CryptographyError(.invalidArgument, "the output has \(output.count) bytes, too few for the plain text")
    }
    if sealed.isEmpty { return 0 }
    let vectorBytes = vector.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var head: Int32 = 0
    var tail: Int32 = 0
    guard EVP_DecryptInit_ex2(decryptor, nil, nil, vectorBytes, nil) == 1,
      EVP_CIPHER_CTX_set_padding(decryptor, padding == .pkcs7 ? 1 : 0) == 1,
      EVP_DecryptUpdate(
        decryptor, target, &head, sealed.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(sealed.count)) == 1
    else { throw OpenSSLReason.failure("decrypt") }
    guard EVP_DecryptFinal_ex(decryptor, target?.advanced(by: Int(head)), &tail) == 1 else {
      throw CryptographyError(
        .decryptionFailed, "the key is wrong or the bytes were changed", cause: OpenSSLReason.take())
    }
    return Int(head) + Int(tail)
  }

  private static func check(_ vector: UnsafeRawBufferPointer, input count: Int) throws(CryptographyError) {
    guard vector.count == blockByteCount else {
      throw CryptographyError(.invalidArgument, "an initialisation vector has 16 bytes, not \(vector.count)")
    }
    guard count <= Int(Int32.max) - blockByteCount else {
      throw CryptographyError(
        .invalidArgument, "one message of AES-256-CBC is limited to 2 GiB, this one has \(count) bytes")
    }
  }
}
