import COpenSSL
import Cryptography
import Transport

// @unchecked Sendable: an SSL_CTX is reference counted and, once set up, may be used by all threads.
/// Certificates, keys and trust, loaded once and shared by many connections.
final class TLSContext: @unchecked Sendable {
  enum Role {
    case server
    case client(TLSClientConfiguration)
  }

  let context: OpaquePointer
  let role: Role

  /// A server's context.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` for a certificate or key that cannot be used.
  init(server configuration: TLSServerConfiguration) throws(TransportError) {
    context = try Self.make(TLS_server_method())
    role = .server
    try useCertificates(configuration.certificateChainPEM)
    let bytes = Array(configuration.privateKeyPEM.utf8)
    let isUsed = bytes.withUnsafeBytes { buffer -> Bool in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return false }
      defer { BIO_free(bio) }
      guard let key = PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in 0 }, nil) else { return false }
      defer { EVP_PKEY_free(key) }
      return SSL_CTX_use_PrivateKey(context, key) == 1
    }
    guard isUsed else {
      throw Self.refusal("the TLS private key cannot be read: give an unencrypted PEM file")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw Self.refusal("the TLS private key does not belong to the certificate")
    }
  }

  /// A client's context.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` for certificates that cannot be read.
  init(client configuration: TLSClientConfiguration) throws(TransportError) {
    context = try Self.make(TLS_client_method())
    role = .client(configuration)
    switch configuration.trust {
    case .system:
      guard SSL_CTX_set_default_verify_paths(context) == 1 else {
        throw Self.refusal("the system's trust store cannot be read")
      }
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    case .certificates(let pem):
      let certificates = Self.certificates(in: pem)
      defer { certificates.forEach { X509_free($0) } }
      guard !certificates.isEmpty, let store = SSL_CTX_get_cert_store(context) else {
        throw Self.refusal("the trusted certificates cannot be read: give a PEM file with at least one")
      }
      for certificate in certificates { X509_STORE_add_cert(store, certificate) }
      // Any of them ends a chain, whether or not it is self-signed.
      X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    case .unsafeAnyone: SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    }
  }

  deinit { SSL_CTX_free(context) }

  private static func make(_ method: OpaquePointer?) throws(TransportError) -> OpaquePointer {
    guard let context = SSL_CTX_new(method) else { throw refusal("OpenSSL cannot be set up") }
    _ = openrealm_require_tls12(context)
    openrealm_set_modes(context)
    return context
  }

  private func useCertificates(_ pem: String) throws(TransportError) {
    let certificates = Self.certificates(in: pem)
    defer { certificates.forEach { X509_free($0) } }
    guard let own = certificates.first, SSL_CTX_use_certificate(context, own) == 1 else {
      throw Self.refusal(
        "the TLS certificate cannot be read: give a PEM file with the certificate and its intermediates")
    }
    for certificate in certificates.dropFirst() where openrealm_add_chain_certificate(context, certificate) != 1 {
      throw Self.refusal("an intermediate TLS certificate cannot be used")
    }
  }

  private static func certificates(in pem: String) -> [OpaquePointer] {
    let bytes = Array(pem.utf8)
    defer { ERR_clear_error() }
    return bytes.withUnsafeBytes { buffer in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return [] }
      defer { BIO_free(bio) }
      var found: [OpaquePointer] = []
      while let certificate = PEM_read_bio_X509(bio, nil, { _, _, _, _ in 0 }, nil) { found.append(certificate) }
      return found
    }
  }

  static func reason() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
    return String(cString: text)
  }

  private static func refusal(_ message: String) -> TransportError {
    TransportError(.invalidConfiguration, message, cause: reason())
  }
}
