import COpenSSL

/// Checks signatures: a shared secret, an RSA or a P-256 public key.
public struct VerificationKey: Sendable, CustomStringConvertible {
  let material: SigningKey.Material

  /// The only algorithm that the key accepts, whatever a token's header asks for.
  public let algorithm: SignatureAlgorithm

  /// The `kid` of the tokens that the key checks; nil for any.
  public var keyIdentifier: String?

  /// A shared secret for HS256; at least 32 bytes.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` for fewer than 32 bytes.
  public static func sharedSecret(_ secret: [UInt8]) throws(CryptographyError) -> VerificationKey {
    try SigningKey.sharedSecret(secret).verificationKey
  }

  /// The RSA or P-256 public key in a PEM text (`BEGIN PUBLIC KEY`).
  ///
  /// - Throws: ``CryptographyError/Code/malformedPEM`` when the text has no public key, ``CryptographyError/Code/invalidKey``
  ///   when the key is of another kind or too short.
  public init(pem: String) throws(CryptographyError) {
    let handle = try KeyHandle.read(pem: pem) { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in 0 }, nil) }
    self.init(material: .pair(handle), algorithm: try handle.algorithm())
  }

  init(material: SigningKey.Material, algorithm: SignatureAlgorithm) {
    self.material = material
    self.algorithm = algorithm
  }

  /// The same key for tokens with this `kid` only.
  public func identified(by keyIdentifier: String) -> VerificationKey {
    var key = self
    key.keyIdentifier = keyIdentifier
    return key
  }

  /// The public key as PEM.
  ///
  /// - Throws: ``CryptographyError/Code/invalidKey`` for a shared secret, which must not be published.
  public func publicKeyPEM() throws(CryptographyError) -> String {
    guard case .pair(let handle) = material else {
      throw CryptographyError(.invalidKey, "a shared secret has no public half")
    }
    return try KeyHandle.write { PEM_write_bio_PUBKEY($0, handle.key) }
  }

  /// Whether `signature`, in the form that tokens carry, is a signature of `message` by this key.
  public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch material {
    case .secret(let secret):
      guard let tag = try? HMACSHA256.tag(for: message, key: secret) else { return false }
      return ConstantTime.areEqual(tag, signature)
    case .pair(let handle):
      var encoded = signature
      if algorithm == .es256 {
        guard let der = ECDSASignature.der(fromRaw: signature) else { return false }
        encoded = der
      }
      return handle.isValid(encoded, for: message)
    }
  }

  /// The algorithm only.
  public var description: String { "\(algorithm.rawValue) verification key" }
}
