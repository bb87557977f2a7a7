import AuthClient
import Cryptography
import Foundation
import TestKit
import Testing
import Transport
import TransportReal

@Suite("TLS of a real server", .serialized)
struct TLSTests {
  private static func write(_ certificate: SelfSignedCertificate, _ folder: String) throws {
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.pem"))
    try Data(certificate.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.key"))
  }

  @Test("https and wss come from one port, and SIGHUP brings a new certificate without disturbing open connections")
  func reload() async throws {
    let folder = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (first, second) = (
      try SelfSignedCertificate.make(hosts: ["127.0.0.1"]), try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    )
    try Self.write(first, folder)
    let log = folder + "/server.log"
    let server = try ServerProcess(
      data: folder + "/data",
      arguments: ["--port", "0", "--tls-certificate", folder + "/server.pem", "--tls-key", folder + "/server.key"],
      log: (level: "warn", file: log))
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    func trusting(_ certificate: SelfSignedCertificate) -> TLSClientConfiguration {
      TLSClientConfiguration(trust: .certificates(pem: certificate.certificatePEM))
    }
    func health(_ certificate: SelfSignedCertificate) async -> Int? {
      guard let url = try? NetworkURL("https://127.0.0.1:\(server.port)/health/ready") else { return nil }
      let response = try? await network.response(to: HTTPClientRequest(url: url, tls: trusting(certificate)))
      return response?.status
    }
    func login() async throws -> String {
      let url = try NetworkURL(
        "https://127.0.0.1:\(server.port)/api/client/v2.0/app/x/auth/providers/anon-user/login")
      let response = try await network.response(
        to: HTTPClientRequest(method: "POST", url: url, tls: trusting(first)))
      struct Body: Decodable { var access_token: String }
      return try JSONDecoder().decode(Body.self, from: Data(response.body)).access_token
    }
    #expect(await health(first) == 200)
    #expect(await health(second) == nil)
    let client = RawClient()
    try client.connect(network, port: server.port, token: try await login(), tls: trusting(first))
    _ = try await client.open("/~/x")

    try Data("rubbish".utf8).write(to: URL(fileURLWithPath: folder + "/server.key"))
    server.process.signal(SIGHUP)
    try await eventually("the refusal in the log") {
      String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
        .contains("settings cannot be read again")
    }
    #expect(await health(first) == 200, "a certificate that cannot be used leaves the old one in place")

    try Self.write(second, folder)
    server.process.signal(SIGHUP)
    try await eventually("the new certificate") { await health(second) == 200 }
    #expect(await health(first) == nil)
    client.upload(version: 2, bytes: KillTests.changeset(2))
    try await client.wait("an acknowledgement on the old connection") { $0.acknowledged == 2 }
    #expect(!client.now.isClosed)
    #expect(server.stop() == 0)
  }
}
