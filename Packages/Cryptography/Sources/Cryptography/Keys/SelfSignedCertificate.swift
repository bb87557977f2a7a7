import COpenSSL

/// A self-signed TLS certificate: for trials, for tests and for pinning.
///
///     let own = try SelfSignedCertificate.make(hosts: ["localhost", "127.0.0.1"])
///     own.certificatePEM   // "-----BEGIN CERTIFICATE-----…"
public struct SelfSignedCertificate: Hashable, Sendable {
  /// The certificate, PEM.
  public let certificatePEM: String
  /// Its private key, PEM. Keep it secret.
  public let privateKeyPEM: String
  /// SHA-256 of the DER certificate, 32 bytes, for a client to pin.
  public let digest: [UInt8]

  /// A new certificate on a new P-256 key.
  ///
  /// - Parameters:
  ///   - hosts: names and addresses of the server; at least one. The first becomes the common name.
  ///   - validDays: days of validity, from an hour ago; 1 to 10000.
  /// - Throws: ``CryptographyError/Code/invalidArgument`` for no host, a host with other characters than
  ///   those of names and addresses, or days out of range.
  public static func make(hosts: [String], validDays: Int = 365) throws(CryptographyError) -> SelfSignedCertificate {
    guard let commonName = hosts.first, hosts.allSatisfy(isPlain), (1...10_000).contains(validDays) else {
      throw CryptographyError(.invalidArgument, "a certificate needs host names or addresses and 1 to 10000 days")
    }
    let key = try SigningKey.generateP256()
    guard case .pair(let handle) = key.material, let certificate = X509_new() else {
      throw OpenSSLReason.failure("make a certificate")
    }
    defer { X509_free(certificate) }
    let alternatives = hosts.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
    let serial = try SecureRandom.bytes(count: 8)
    let subject = openrealm_subject(certificate)
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial.reduce(0) { $0 << 8 | UInt64($1) } >> 1) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), validDays * 86_400) != nil,
      X509_set_pubkey(certificate, handle.key) == 1,
      X509_NAME_add_entry_by_txt(
        subject, "CN", 0x1001, Array(commonName.utf8.prefix(64)), Int32(min(64, commonName.utf8.count)), -1, 0) == 1,
      X509_set_issuer_name(certificate, subject) == 1,
      openrealm_add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") == 1,
      openrealm_add_extension(certificate, NID_subject_alt_name, alternatives) == 1,
      X509_sign(certificate, handle.key, Digest.sha256.algorithm) > 0
    else { throw OpenSSLReason.failure("make a certificate for \(commonName)") }
    var digest = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    guard X509_digest(certificate, Digest.sha256.algorithm, &digest, &size) == 1 else {
      throw OpenSSLReason.failure("compute the digest of a certificate")
    }
    return SelfSignedCertificate(
      certificatePEM: try KeyHandle.write { PEM_write_bio_X509($0, certificate) },
      privateKeyPEM: try key.privateKeyPEM(), digest: digest)
  }

  private static func isPlain(_ host: String) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
          || [45, 46, 58, 95].contains(byte)
      }
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
  }
}
