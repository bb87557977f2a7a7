import COpenSSL

/// The two forms of a P-256 signature: DER, which OpenSSL speaks, and r followed by s, 32 bytes each, which tokens carry.
enum ECDSASignature {
  static let rawByteCount = 64

  static func raw(fromDER der: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let raw = der.withUnsafeBufferPointer { buffer -> [UInt8]? in
      var cursor = buffer.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &cursor, buffer.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      var bytes = [UInt8](repeating: 0, count: rawByteCount)
      let isWritten = bytes.withUnsafeMutableBufferPointer { bytes in
        BN_bn2binpad(ECDSA_SIG_get0_r(signature), bytes.baseAddress, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(signature), bytes.baseAddress?.advanced(by: 32), 32) == 32
      }
      return isWritten ? bytes : nil
    }
    guard let raw else { throw OpenSSLReason.failure("convert a signature") }
    return raw
  }

  /// Nil when `raw` is not 64 bytes.
  static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
    guard raw.count == rawByteCount, let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let r = raw.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
    let s = raw.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress?.advanced(by: 32), 32, nil) }
    guard let r, let s, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    var output: UnsafeMutablePointer<UInt8>?
    let count = Int(i2d_ECDSA_SIG(signature, &output))
    guard count > 0, let output else { return nil }
    defer { CRYPTO_free(output, nil, 0) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
