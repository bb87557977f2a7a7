import Foundation
import Transport

/// How a server proves who it is over TLS.
public enum ServerValidationPolicy: Hashable, Sendable {
  /// It need not: for tests only.
  case none
  /// By a certificate that the system trusts.
  case system
  /// By a certificate in this PEM file.
  case pinCertificate(path: URL)

  /// The trust of the layer below.
  ///
  /// - Throws: ``SyncAuthError`` when the file cannot be read.
  func trust() throws -> TLSClientConfiguration {
    switch self {
    case .none: return TLSClientConfiguration(trust: .unsafeAnyone, verifiesHostName: false)
    case .system: return TLSClientConfiguration()
    case .pinCertificate(let url):
      guard let pem = try? String(contentsOf: url, encoding: .utf8) else {
        throw SyncAuthError(
          .invalidParameters, "the certificate \(url.path) cannot be read", remedy: "give the path of a PEM file")
      }
      return TLSClientConfiguration(trust: .certificates(pem: pem))
    }
  }
}
