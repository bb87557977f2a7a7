import AuthClient
import CommandLineKit
import Foundation
import Testing
import Transport
import TransportReal

@Suite("the first start of a real server", .serialized)
struct FirstStartTests {
  @Test("an administrator is made with a password that is shown once, and the default realm is there")
  func administrator() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let variables = [
      "REALM_OBJECT_SERVER_NO_FIRST_ADMINISTRATOR": "false", "REALM_OBJECT_SERVER_MINIMUM_PASSWORD": "8",
    ]
    let server = try ServerProcess(data: data, environment: variables)
    try server.wait(for: "is not shown again")
    let said = try #require(server.said.firstMatch(of: /user (realm-admin), password ([0-9a-f]{32})/), "\(server.said)")
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let auth = try AuthClient(
      server: try NetworkURL("http://127.0.0.1:\(server.port)"), network: RealNetwork(loop: loop))
    #expect(try await auth.logIn(.usernamePassword("realm-admin", String(said.output.2))).isAdministrator)
    await #expect(throws: AuthError.self) {
      try await auth.logIn(.usernamePassword("short", "1234567", register: .always))
    }
    #expect(try ServerProcess.run(["realms", "--data", data]).output.contains("/default"))
    #expect(server.stop() == 0)
    let again = try ServerProcess(data: data, environment: variables)
    #expect(again.stop() == 0)
    #expect(!again.said.contains("password"))
  }
}
