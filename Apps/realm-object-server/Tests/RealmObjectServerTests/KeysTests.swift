import AccessTokens
import AuthClient
import Foundation
import Testing
import Transport
import TransportReal

@Suite("keys of a real server", .serialized)
struct KeysTests {
  @Test("a rotation beside the server logs nobody out; with --now, connections come back with new tokens")
  func rotation() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let auth = try AuthClient(
      server: try NetworkURL("http://127.0.0.1:\(server.port)"), network: user.network)
    try await auth.logIn(.usernamePassword("ann", "secret"))
    let old = try await auth.accessToken(of: user.id)
    #expect(try ServerProcess.run(["keys", "rotate", "--data", data]).status == 0)
    // The old token opens connections, until a new one is signed with another key.
    let client = try user.client(of: server)
    _ = try await client.open("/~/notes")
    var new = try await auth.refresh(user.id)
    while try Self.key(new) == (try Self.key(old)) {
      try await Task.sleep(for: .milliseconds(50))
      new = try await auth.refresh(user.id)
    }
    #expect(try ServerProcess.run(["keys", "rotate", "--now", "--data", data]).status == 0)
    try await client.wait("the connection ends") { $0.isClosed }
    _ = try await auth.refresh(user.id)
    #expect(server.stop() == 0)
  }

  /// The `kid` of a token.
  private static func key(_ token: String) throws -> String {
    let head = try #require(token.split(separator: ".").first)
    var text = String(head)
    while text.utf8.count % 4 != 0 { text += "=" }
    let data = try #require(
      Data(base64Encoded: text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")))
    let header = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(header["kid"] as? String)
  }
}
