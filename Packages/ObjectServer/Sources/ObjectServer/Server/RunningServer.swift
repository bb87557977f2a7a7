import Cryptography
import Foundation
public import Transport

/// The address of the server that runs on a data directory, as tools of the same machine find it: `server.json`, which only the
/// owner of the directory may read.
public struct RunningServer: Hashable, Sendable {
  /// Scheme, host and port.
  public var url: NetworkURL
  /// The certificate that it shows; any for a server without TLS.
  public var tls: TLSClientConfiguration

  private struct File: Codable {
    var url: String
    var certificateSHA256: String?
  }

  /// Writes the file of a server.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  static func write(_ address: ListenAddress, _ tls: TLSServerConfiguration?, to path: String) throws(ServerError) {
    // A server that listens everywhere is reached by the loopback address.
    let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][address.host] ?? address.host
    let local = ListenAddress(host: host, port: address.port)
    let file = File(
      url: "\(tls == nil ? "http" : "https")://\(local)",
      certificateSHA256: tls.flatMap { digest(ofFirst: $0.certificateChainPEM) })
    // The members are texts, which always encode.
    let data = (try? JSONEncoder().encode(file)) ?? Data()
    try SecretFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path)
  }

  /// Reads the file of a server; nil when there is none.
  init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let file = try? JSONDecoder().decode(File.self, from: data), let url = try? NetworkURL(file.url)
    else { return nil }
    self.url = url
    tls = TLSClientConfiguration()
    guard let digest = file.certificateSHA256, let bytes = try? Base64.standard.decode(digest) else { return }
    // The very certificate, whatever name it is for and whoever signed it.
    tls = TLSClientConfiguration(trust: .unsafeAnyone, pinnedCertificateDigests: [bytes], verifiesHostName: false)
  }

  private static func digest(ofFirst pem: String) -> String? {
    let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGINCERTIFICATE") }),
      let end = lines[start...].firstIndex(where: { $0.hasPrefix("-----ENDCERTIFICATE") }),
      let bytes = try? Base64.standard.decode(lines[(start + 1)..<end].joined())
    else { return nil }
    return Base64.standard.encode(Digest.sha256.hash(bytes))
  }
}

extension EmbeddedServer {
  /// Tells tools of this machine where the server on this data directory is reached, until it stops.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  public func announce(_ address: ListenAddress, tls: TLSServerConfiguration?) throws(ServerError) {
    try RunningServer.write(address, tls, to: layout.running)
  }

  /// The server that runs on this data directory; nil when none does.
  public func runningServer() -> RunningServer? {
    guard let server = RunningServer(path: layout.running), DataDirectoryLock.isHeld(path: layout.lock) else {
      return nil
    }
    return server
  }

  /// The operator's token, which may do everything.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when the directory was never served, or may not be read.
  public func administratorToken() throws(ServerError) -> String {
    struct Content: Decodable {
      var ADMIN_TOKEN: String
    }
    try checkUsed()
    guard let data = FileManager.default.contents(atPath: layout.keys + "/admin.json"),
      let content = try? JSONDecoder().decode(Content.self, from: data)
    else {
      throw ServerError(
        .dataDirectoryUnusable, "\(layout.keys)/admin.json cannot be read",
        remedy: "run this as the user whom the data directory belongs to")
    }
    return content.ADMIN_TOKEN
  }
}
