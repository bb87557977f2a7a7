import AuthClient
import Foundation
import Testing
import Transport
import TransportReal

@Suite("what the log says", .serialized)
struct SecrecyTests {
  @Test("at the finest level, as JSON, every line is an object and none has a password, a token or a key")
  func secrets() async throws {
    let data = ServerProcess.temporaryFolder()
    let log = data + ".log"
    defer { for path in [data, log] { try? FileManager.default.removeItem(atPath: path) } }
    let server = try ServerProcess(
      data: data, arguments: ["--port", "0", "--log-format", "json"], log: (level: "all", file: log))
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    let base = "http://127.0.0.1:\(server.port)"
    let auth = try AuthClient(server: try NetworkURL(base), network: network)
    let user = try await auth.logIn(.usernamePassword("ann", "pass-word-of-ann", register: .always))
    await #expect(throws: AuthError.self) { try await auth.logIn(.usernamePassword("ann", "wrong-pass-word")) }
    let token = try await auth.accessToken(of: user.id)
    let client = RawClient()
    try client.connect(network, port: server.port, token: token)
    _ = try await client.open("/~/notes")
    client.upload(version: 2, bytes: KillTests.changeset(2))
    try await client.wait("an acknowledgement") { $0.acknowledged == 2 }
    let intruder = RawClient()
    try intruder.connect(network, port: server.port, token: token + "x")
    try await intruder.wait("a refusal") { $0.isClosed }
    for path in ["/api/client/v2.0/auth/profile?baas_at=\(token)", "/\(token)", "/metrics", "/health"] {
      let request = HTTPClientRequest(url: try NetworkURL(base + path), headers: ["Authorization": "Bearer \(token)y"])
      let response = try await network.response(to: request)
      #expect(!response.text.contains(token))
    }
    #expect(server.stop() == 0)

    let text = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 5)
    for line in lines {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)")
    }
    let admin = String(
      decoding: FileManager.default.contents(atPath: data + "/keys/admin.json") ?? Data(), as: UTF8.self)
    let key = String(decoding: FileManager.default.contents(atPath: data + "/keys/token.key") ?? Data(), as: UTF8.self)
    let signature = try #require(token.split(separator: ".").last)
    var secrets: [String] = ["pass-word-of-ann", "wrong-pass-word", token, String(signature)]
    secrets.append(key.trimmingCharacters(in: .newlines))
    secrets += admin.split(separator: "\"").map { String($0) }.filter { $0.count > 40 }
    #expect(secrets.count == 6)
    for secret in secrets { #expect(!text.contains(secret)) }
  }
}
