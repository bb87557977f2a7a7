import ByteCoding
import Cryptography
import Foundation
import PostgresClientTestSupport
import TestKit
import Testing
import Transport
import TransportReal

/// Servers of a cluster that reach each other over TLS, as processes.
@Suite("TLS between servers of a cluster", .enabled(if: PostgresServer.isThere))
struct ClusterTLSTests {
  private let certificate: SelfSignedCertificate

  init() throws { certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"]) }

  private func start(
    _ name: String, _ folder: String, _ database: String, authority: String?
  ) throws -> (ServerProcess, ReservedPort) {
    let port = try ReservedPort()
    let (chain, key) = (folder + "/server.pem", folder + "/server.key")
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: chain))
    try Data(certificate.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: key))
    var arguments = [
      "--port", "\(port.port)", "--storage", database, "--node", name, "--node-address",
      "https://127.0.0.1:\(port.port)", "--tls-certificate", chain, "--tls-key", key,
    ]
    if let authority { arguments += ["--node-authority", authority] }
    return (try ServerProcess(data: folder + "/" + name, arguments: arguments), port)
  }

  @Test("a request is passed on to a server whose certificate node-authority has signed, and to no other one")
  func authority() async throws {
    try await ClusterScene.run { postgres, folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let database = postgres.address()
      // The first server makes the realm of apps, and has it.
      let a = try start("a", folder, database, authority: folder + "/server.pem")
      let b = try start("b", folder, database, authority: folder + "/server.pem")
      let c = try start("c", folder, database, authority: nil)
      defer { for server in [a.0, b.0, c.0] { server.kill() } }
      let loop = try EventLoop(name: "test")
      defer { loop.shutDown() }
      let network = RealNetwork(loop: loop)
      func status(at server: ServerProcess, _ name: String) async throws -> Int {
        let file = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)/keys/admin.json"))
        let token = try #require(try JSONValue(parsing: Array(file))["ADMIN_TOKEN"]?.string)
        let url = try NetworkURL("https://127.0.0.1:\(server.port)/api/openrealm/v1/admin/realm?path=/default")
        let request = HTTPClientRequest(
          method: "GET", url: url, headers: ["Authorization": "Bearer " + token],
          tls: TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM)))
        return try await network.response(to: request).status
      }
      #expect(try await status(at: a.0, "a") == 200)
      #expect(try await status(at: b.0, "b") == 200)
      #expect(try await status(at: c.0, "c") == 503)
      withExtendedLifetime((a.1, b.1, c.1)) {}
    }
  }
}
