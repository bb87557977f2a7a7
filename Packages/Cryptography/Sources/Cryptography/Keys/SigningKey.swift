import COpenSSL

/// A secret that signs: a shared secret, an RSA or a P-256 private key.
///
///     let key = try SigningKey.generateP256()
///     let signature = try key.sign(message)
///     key.verificationKey.isValid(signature, for: message)  // true
public struct SigningKey: Sendable, CustomStringConvertible {
  enum Material: Sendable {
    case secret([UInt8])
    case pair(KeyHandle)
  }
  let material: Material

  /// The algorithm of the signatures.
  public let algorithm: SignatureAlgorithm

  /// A shared secret for HS256.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` for fewer than 32 bytes, as RFC 7518 demands.
  public static func sharedSecret(_ secret: [UInt8]) throws(CryptographyError) -> SigningKey {
    guard secret.count >= 32 else {
      throw CryptographyError(.invalidKey, "a secret for HS256 has at least 32 bytes, this one has \(secret.count)")
    }
    return SigningKey(material: .secret(secret), algorithm: .hs256)
  }

  /// A new RSA key, for RS256. 2048 bits take about 50 ms to find, 4096 a second or more.
  ///
  /// - Throws: ``CryptographyError/Code/invalidArgument`` when `bits` is not 2048 to 8192.
  public static func generateRSA(bits: Int = 2_048) throws(CryptographyError) -> SigningKey {
    guard (2_048...8_192).contains(bits) else {
      throw CryptographyError(.invalidArgument, "an RSA key has 2048 to 8192 bits, not \(bits)")
    }
    guard let key = openrealm_generate_rsa(Int32(bits)) else { throw OpenSSLReason.failure("make an RSA key") }
    return SigningKey(material: .pair(KeyHandle(adopting: key)), algorithm: .rs256)
  }

  /// A new P-256 key, for ES256.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when OpenSSL makes none, for lack of entropy for example.
  public static func generateP256() throws(CryptographyError) -> SigningKey {
    guard let key = openrealm_generate_p256() else { throw OpenSSLReason.failure("make a P-256 key") }
    return SigningKey(material: .pair(KeyHandle(adopting: key)), algorithm: .es256)
  }

  /// The RSA or P-256 private key in a PEM text, PKCS #8 or the older forms.
  ///
  /// - Throws: ``CryptographyError/Code/malformedPEM`` when the text has no private key without passphrase,
  ///   ``CryptographyError/Code/invalidKey`` when the key is of another kind or too short.
  public init(pem: String) throws(CryptographyError) {
    let handle = try KeyHandle.read(pem: pem) { bio in
      // A passphrase would be asked for on the terminal; "none" is answered instead.
      PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in 0 }, nil)
    }
    self.init(material: .pair(handle), algorithm: try handle.algorithm())
  }

  init(material: Material, algorithm: SignatureAlgorithm) {
    self.material = material
    self.algorithm = algorithm
  }

  /// The private key as unencrypted PKCS #8 PEM. Keep it secret.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` for a shared secret, which has no PEM form.
  public func privateKeyPEM() throws(CryptographyError) -> String {
    guard case .pair(let handle) = material else {
      throw CryptographyError(.invalidKey, "a shared secret has no PEM form")
    }
    return try KeyHandle.write { PEM_write_bio_PKCS8PrivateKey($0, handle.key, nil, nil, 0, nil, nil) }
  }

  /// The key that checks what this one signs. For a shared secret it holds the secret.
  public var verificationKey: VerificationKey { VerificationKey(material: material, algorithm: algorithm) }

  /// The signature of `message`, in the form that tokens carry.
  ///
  /// - Throws: ``CryptographyError/Code/libraryFailure`` when OpenSSL cannot sign.
  public func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    switch material {
    case .secret(let secret): return try HMACSHA256.tag(for: message, key: secret)
    case .pair(let handle):
      guard let context = EVP_MD_CTX_new() else { throw OpenSSLReason.failure("prepare a signature") }
      defer { EVP_MD_CTX_free(context) }
      var size = 0
      guard EVP_DigestSignInit(context, nil, Digest.sha256.algorithm, nil, handle.key) == 1,
        EVP_DigestSign(context, nil, &size, message, message.count) == 1
      else { throw OpenSSLReason.failure("sign") }
      var signature = [UInt8](repeating: 0, count: size)
      guard EVP_DigestSign(context, &signature, &size, message, message.count) == 1 else {
        throw OpenSSLReason.failure("sign")
      }
      signature.removeLast(signature.count - size)
      return algorithm == .es256 ? try ECDSASignature.raw(fromDER: signature) : signature
    }
  }

  /// The algorithm only.
  public var description: String { "\(algorithm.rawValue) signing key" }
}
