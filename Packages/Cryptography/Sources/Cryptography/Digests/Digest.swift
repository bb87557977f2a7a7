import COpenSSL

/// A digest algorithm, with its one-shot function.
///
///     Digest.sha256.hash(Array("abc".utf8)).count  // 32
public enum Digest: String, Hashable, Sendable, CaseIterable {
  /// SHA-1, 20 bytes: for the WebSocket handshake only, it is broken for everything else.
  case sha1 = "SHA1"
  /// SHA-256, 32 bytes.
  case sha256 = "SHA256"
  /// SHA-512, 64 bytes.
  case sha512 = "SHA512"

  /// The size of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// The digest of `bytes`. O(n), n the count of the bytes.
  public func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

  /// The digest of the bytes in `buffer`. O(n), n the count of the bytes.
  public func hash(_ buffer: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
      var size: UInt32 = 0
      let done = EVP_Digest(buffer.baseAddress, buffer.count, output.baseAddress, &size, algorithm, nil)
      // Digesting memory fails only when the algorithm is missing, and that was checked when it was fetched.
      precondition(done == 1, "OpenSSL computes digests of memory")
      count = Int(size)
    }
  }

  /// The fetched implementation; fetching once is several times cheaper than once per call.
  var algorithm: OpaquePointer {
    switch self {
    case .sha1: Self.fetchedSHA1
    case .sha256: Self.fetchedSHA256
    case .sha512: Self.fetchedSHA512
    }
  }

  // The fetched algorithms are immutable and reference counted by OpenSSL; all threads may use them.
  nonisolated(unsafe) private static let fetchedSHA1 = fetch(.sha1)
  nonisolated(unsafe) private static let fetchedSHA256 = fetch(.sha256)
  nonisolated(unsafe) private static let fetchedSHA512 = fetch(.sha512)

  private static func fetch(_ digest: Digest) -> OpaquePointer {
    guard let algorithm = EVP_MD_fetch(nil, digest.rawValue, nil) else {
      preconditionFailure("OpenSSL's default provider has \(digest.rawValue); check OPENSSL_CONF and OPENSSL_MODULES")
    }
    return algorithm
  }
}
