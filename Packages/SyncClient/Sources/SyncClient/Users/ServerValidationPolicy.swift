import Foundation
import Transport
import TransportReal

/// The proof of identity that a server must give over TLS.
public enum ServerValidationPolicy: Hashable, Sendable {
  /// No proof: for tests only.
  case none
  /// A certificate that the system trusts.
  case system
  /// This certificate, or one that it signed: a file in PEM or DER. The system's authorities do not count, and the
  /// certificate must be for the host.
  case pinCertificate(path: URL)

  /// The policy as TLS settings of the transport.
  ///
  /// - Throws: ``SyncAuthError`` when the file cannot be read, or holds no certificate.
  func trust() throws -> TLSClientConfiguration {
    switch self {
    case .none: return TLSClientConfiguration(trust: .unsafeAnyone, verifiesHostName: false)
    case .system: return TLSClientConfiguration()
    case .pinCertificate(let url):
      let trust = (try? Data(contentsOf: url)).map { TLSClientConfiguration(trust: .certificates(pem: Self.pem($0))) }
      guard let trust, (try? RealNetwork.check(trust)) != nil else {
        throw SyncAuthError(
          .invalidParameters, "the certificate \(url.path) cannot be read",
          remedy: "give the path of a certificate in PEM or DER")
      }
      return trust
    }
  }

  /// A file of certificates as PEM. DER has one certificate and no text.
  private static func pem(_ file: Data) -> String {
    if let text = String(data: file, encoding: .utf8), text.contains("-----BEGIN") { return text }
    let lines = file.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
  }
}
