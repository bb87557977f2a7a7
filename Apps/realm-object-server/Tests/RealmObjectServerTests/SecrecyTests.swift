import AuthClient
import CommandLineKit
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
    await #expect(throws: AuthError.self) { try await auth.logIn(.usernamePassword("typed-into-the-name", "x")) }
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
    client.abort()
    #expect(server.stop() == 0)
    let first = try JSONSerialization.jsonObject(with: Data(server.firstLine.utf8)) as? [String: Any]
    #expect(first?["url"] as? String == base)
    #expect(first?["data"] as? String == data)
    #expect(first?["version"] as? String == Release.version)
    #expect(first?["process"] as? Int == Int(server.process.processIdentifier))

    let text = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 5)
    for line in lines {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)")
    }
    func entries(_ message: String) throws -> [[String: Any]] {
      try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
        .filter { $0["message"] as? String == message }
    }
    let refused = try entries("login refused")
    #expect(refused.map { $0["reason"] as? String } == ["the password is wrong", "no user has this name"])
    #expect(refused.map { $0["user"] as? String } == [user.id.rawValue, nil])
    #expect(refused.allSatisfy { $0["address"] as? String == "127.0.0.1" })
    for message in ["connected", "disconnected"] {
      let clients = try entries(message).filter { $0["user"] as? String == user.id.rawValue }
      #expect(clients.count == 1)
      #expect(clients.allSatisfy { $0["level"] as? String == "info" })
    }
    let admin = String(
      decoding: FileManager.default.contents(atPath: data + "/keys/admin.json") ?? Data(), as: UTF8.self)
    let key = String(decoding: FileManager.default.contents(atPath: data + "/keys/token.key") ?? Data(), as: UTF8.self)
    let signature = try #require(token.split(separator: ".").last)
    var secrets: [String] = ["pass-word-of-ann", "wrong-pass-word", "typed-into-the-name", token, String(signature)]
    secrets.append(key.trimmingCharacters(in: .newlines))
    secrets += admin.split(separator: "\"").map { String($0) }.filter { $0.count > 40 }
    #expect(secrets.count == 7)
    for secret in secrets { #expect(!text.contains(secret)) }
  }
}
