import COpenSSL

/// Turns passwords into strings that can be stored, by scrypt (RFC 7914) with a random salt.
///
///     let hasher = PasswordHasher()
///     let stored = try hasher.hash("correct horse")   // "$scrypt$ln=15,r=8,p=1$…$…"
///     try hasher.verify("correct horse", against: stored)  // true
///
/// One hash takes about 60 ms and 32 MiB by default: compute it off the loop.
public struct PasswordHasher: Hashable, Sendable {
  /// The cost of one hash.
  public struct Parameters: Hashable, Sendable {
    /// Binary logarithm of the cost N, 1 to 24.
    public var logarithmicCost: Int
    /// Block size r, 1 to 32. Memory is 128 · r · N bytes.
    public var blockSize: Int
    /// Parallelisation p, 1 to 16. Time grows with it, memory does not.
    public var parallelization: Int

    /// Parameters; by default N = 2^15, r = 8, p = 1, which take 32 MiB.
    public init(logarithmicCost: Int = 15, blockSize: Int = 8, parallelization: Int = 1) {
      self.logarithmicCost = logarithmicCost
      self.blockSize = blockSize
      self.parallelization = parallelization
    }

    /// Whether the ranges hold and the memory stays within 1 GiB: a stored hash must not be able to ask for more.
    var isAcceptable: Bool {
      (1...24).contains(logarithmicCost) && (1...32).contains(blockSize) && (1...16).contains(parallelization)
        && 128 * blockSize << logarithmicCost <= 1 << 30
    }
  }

  /// The cost of new hashes.
  public var parameters: Parameters

  /// A hasher that makes hashes of this cost, and verifies hashes of any cost.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// A new string to store for `password`, with 16 random bytes of salt and 32 of hash.
  ///
  /// - Throws: ``CryptographyError/Code/invalidArgument`` for parameters out of range.
  public func hash(_ password: String) throws(CryptographyError) -> String {
    let salt = try SecureRandom.bytes(count: 16)
    let key = try Self.derive(password: Array(password.utf8), salt: salt, parameters: parameters, byteCount: 32)
    return PasswordHash(parameters: parameters, salt: salt, key: key).description
  }

  /// Whether `stored` is a hash of `password`.
  ///
  /// - Throws: ``CryptographyError/Code/malformedPasswordHash`` when `stored` is not a string of ``hash(_:)``.
  public func verify(_ password: String, against stored: String) throws(CryptographyError) -> Bool {
    let hash = try PasswordHash(stored)
    let key = try Self.derive(
      password: Array(password.utf8), salt: hash.salt, parameters: hash.parameters, byteCount: hash.key.count)
    return ConstantTime.areEqual(key, hash.key)
  }

  /// Whether `stored` has another cost than new hashes, so that it should be replaced at the next successful login. True
  /// also when `stored` cannot be read.
  public func needsRehash(_ stored: String) -> Bool {
    (try? PasswordHash(stored))?.parameters != parameters
  }

  /// The key that scrypt derives from a password.
  ///
  /// - Throws: ``CryptographyError/Code/invalidArgument`` for parameters out of range.
  public static func derive(
    password: [UInt8], salt: [UInt8], parameters: Parameters, byteCount: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard parameters.isAcceptable, (1...1_024).contains(byteCount) else {
      throw CryptographyError(
        .invalidArgument, "the scrypt parameters are out of range: use ln 1 to 24, r 1 to 32, p 1 to 16, at most 1 GiB")
    }
    var output = [UInt8](repeating: 0, count: byteCount)
    let done = password.withUnsafeBytes { password in
      // An absent password would only test the parameters; an empty one needs an address.
      let address = password.baseAddress?.assumingMemoryBound(to: CChar.self)
      return withUnsafePointer(to: CChar(0)) { empty in
        EVP_PBE_scrypt(
          password.isEmpty ? empty : address, password.count, salt, salt.count,
          UInt64(1) << UInt64(parameters.logarithmicCost), UInt64(parameters.blockSize),
          UInt64(parameters.parallelization), 2 << 30, &output, byteCount)
      }
    }
    guard done == 1 else { throw OpenSSLReason.failure("derive a key by scrypt") }
    return output
  }
}
