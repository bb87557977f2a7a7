import COpenSSL
import Cryptography
import Transport

/// TLS in memory: decrypts received bytes and encrypts sent ones. Uses no socket.
final class TLSSession {
  private let context: TLSContext
  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private let host: String
  private var plain: [[UInt8]] = []
  private var waiting: [[UInt8]] = []
  private(set) var waitingBytes = 0
  private(set) var isEstablished = false
  /// Whether the peer sent its close notification.
  private(set) var isEnded = false

  /// - Parameter host: the server's name or address, for clients.
  /// - Throws: ``TransportError/Code/tlsFailed``
  init(context: TLSContext, host: String = "") throws(TransportError) {
    self.context = context
    self.host = host
    guard let ssl = SSL_new(context.context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { throw TransportError(.tlsFailed, "OpenSSL cannot be set up", cause: TLSContext.reason()) }
    self.ssl = ssl
    self.incoming = incoming
    self.outgoing = outgoing
    openrealm_bio_empty_is_retry(incoming)
    openrealm_bio_empty_is_retry(outgoing)
    SSL_set_bio(ssl, incoming, outgoing)
    switch context.role {
    case .server: SSL_set_accept_state(ssl)
    case .client(let configuration):
      SSL_set_connect_state(ssl)
      expect(host, verifies: configuration.verifiesHostName)
    }
  }

  deinit { SSL_free(ssl) }

  private func expect(_ host: String, verifies: Bool) {
    let isAddress = host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
    // RFC 6066: server name indication is for names only.
    if !isAddress { _ = openrealm_set_server_name(ssl, host) }
    guard verifies else { return }
    if isAddress {
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host)
    } else {
      SSL_set1_host(ssl, host)
    }
  }

  /// Continues the handshake, encrypts queued bytes after it, and decrypts received ones.
  func advance() throws(TransportError) {
    if !isEstablished {
      ERR_clear_error()
      let result = SSL_do_handshake(ssl)
      guard result == 1 else {
        let code = SSL_get_error(ssl, result)
        guard code == SSL_ERROR_WANT_READ || code == SSL_ERROR_WANT_WRITE else { throw handshakeError() }
        return
      }
      try checkPins()
      isEstablished = true
      let pieces = waiting
      waiting = []
      waitingBytes = 0
      for piece in pieces { try encrypt(piece) }
    }
    try decrypt()
  }

  /// Adds cipher text from the peer.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
    let count = Int32(clamping: bytes.count)
    guard BIO_write(incoming, bytes.baseAddress, count) == count else {
      throw TransportError(.tlsFailed, "OpenSSL does not take bytes", cause: TLSContext.reason())
    }
  }

  /// Adds plain text for the peer; queued before the end of the handshake.
  func send(_ bytes: [UInt8]) throws(TransportError) {
    guard isEstablished else {
      waiting.append(bytes)
      waitingBytes += bytes.count
      return
    }
    try encrypt(bytes)
  }

  /// Cipher text to be sent.
  func takeOutput() -> [UInt8] {
    var data: UnsafePointer<CChar>?
    let count = openrealm_bio_memory(outgoing, &data)
    guard count > 0 else { return [] }
    let bytes = Array(UnsafeRawBufferPointer(start: data, count: count))
    openrealm_bio_reset(outgoing)
    return bytes
  }

  /// The next plain text from the peer, at most one record.
  func takePlain() -> [UInt8]? { plain.isEmpty ? nil : plain.removeFirst() }

  /// Queues the close notification.
  func sendCloseNotify() {
    if isEstablished { SSL_shutdown(ssl) }
    ERR_clear_error()
  }

  private func encrypt(_ bytes: [UInt8]) throws(TransportError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes { buffer -> Int32 in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        return SSL_write(ssl, rest.baseAddress, Int32(clamping: min(rest.count, 1 << 30)))
      }
      guard written > 0 else {
        throw TransportError(.tlsFailed, "the TLS connection broke: try again", cause: TLSContext.reason())
      }
      offset += Int(written)
    }
  }

  private func decrypt() throws(TransportError) {
    while true {
      var result: Int32 = 0
      ERR_clear_error()
      let record = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        result = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
        count = max(0, Int(result))
      }
      if result > 0 {
        plain.append(record)
        continue
      }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
      case SSL_ERROR_ZERO_RETURN:
        isEnded = true
        return
      default: throw TransportError(.tlsFailed, "the TLS connection broke: try again", cause: TLSContext.reason())
      }
    }
  }

  private func handshakeError() -> TransportError {
    let verdict = SSL_get_verify_result(ssl)
    if case .client = context.role, verdict != X509_V_OK {
      let reason = X509_verify_cert_error_string(verdict).map { String(cString: $0) }
      ERR_clear_error()
      return TransportError(
        .certificateRefused,
        "the certificate of \(host) is not accepted: check its name and dates, or trust its authority explicitly",
        cause: reason)
    }
    return TransportError(
      .tlsFailed, "the TLS handshake failed: check that the peer speaks TLS 1.2 or later", cause: TLSContext.reason())
  }

  private func checkPins() throws(TransportError) {
    guard case .client(let configuration) = context.role, !configuration.pinnedCertificateDigests.isEmpty else {
      return
    }
    guard let certificate = SSL_get1_peer_certificate(ssl) else {
      throw TransportError(.certificateRefused, "\(host) showed no certificate")
    }
    defer { X509_free(certificate) }
    var digest = [UInt8](repeating: 0, count: Digest.sha256.byteCount)
    var count: UInt32 = 0
    guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1,
      configuration.pinnedCertificateDigests.contains(digest)
    else {
      throw TransportError(
        .certificateRefused,
        "the certificate of \(host) is not one of the pinned ones: update the pins if it was renewed")
    }
  }
}
