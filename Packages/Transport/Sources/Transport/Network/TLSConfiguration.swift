/// Certificate and key of a TLS server.
public struct TLSServerConfiguration: Hashable, Sendable {
  /// The certificate followed by its intermediates, PEM.
  public var certificateChainPEM: String
  /// The private key, PEM, without a passphrase.
  public var privateKeyPEM: String

  /// A configuration from PEM texts; they are checked when listening starts.
  public init(certificateChainPEM: String, privateKeyPEM: String) {
    self.certificateChainPEM = certificateChainPEM
    self.privateKeyPEM = privateKeyPEM
  }
}

/// The certificates that a client accepts.
public struct TLSClientConfiguration: Hashable, Sendable {
  /// The roots that may sign a server's certificate.
  public enum Trust: Hashable, Sendable {
    /// The system's trust store.
    case system
    /// Exactly the certificates in this PEM text, and certificates signed by them: authorities, or the server's own certificate.
    case certificates(pem: String)
    /// Every certificate. The connection is then encrypted to an unknown peer; use it only with pins or in tests.
    case unsafeAnyone
  }

  /// The roots that may sign a server's certificate.
  public var trust: Trust
  /// SHA-256 digests of DER certificates, 32 bytes each; when not empty, the server's own certificate must be one of them.
  public var pinnedCertificateDigests: Set<[UInt8]>
  /// Whether the certificate must be for the host that is connected to.
  public var verifiesHostName: Bool

  /// A configuration; by default the system's roots and the host name are required.
  public init(trust: Trust = .system, pinnedCertificateDigests: Set<[UInt8]> = [], verifiesHostName: Bool = true) {
    self.trust = trust
    self.pinnedCertificateDigests = pinnedCertificateDigests
    self.verifiesHostName = verifiesHostName
  }
}
