import COpenSSL

/// Unpredictable random bytes, from OpenSSL's generator, which the kernel seeds.
///
/// Also a `RandomNumberGenerator`, so that it can be passed where the randomness is a parameter.
public struct SecureRandom: RandomNumberGenerator, Sendable {
  /// A generator; all values share one source.
  public init() {}

  /// `count` random bytes.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when the system has no entropy.
  public static func bytes(count: Int) throws(CryptographyError) -> [UInt8] {
    precondition(count >= 0, "a count of bytes is not negative")
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(CryptographyError) in try fill(buffer) }
    }
    try result.get()
    return bytes
  }

  /// Fills `buffer` with random bytes.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when the system has no entropy.
  public static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
    var offset = 0
    while offset < buffer.count {
      let count = min(buffer.count - offset, 1 << 30)
      let start = buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      guard RAND_bytes(start, Int32(count)) == 1 else { throw OpenSSLReason.failure("give random bytes") }
      offset += count
    }
  }

  /// A random number. Stops the process when the system has no entropy: there is no safe way to continue.
  public mutating func next() -> UInt64 {
    var number: UInt64 = 0
    let done = withUnsafeMutableBytes(of: &number) { buffer in
      RAND_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
    }
    precondition(done == 1, "the system gives random bytes")
    return number
  }
}
