import Foundation
import PostgresClientTestSupport
import TestKit
import Testing
import Transport
import TransportReal

/// Counts of servers over one database, as processes.
@Suite("limits of a cluster", .enabled(if: PostgresServer.isThere))
struct ClusterLimitsTests {
  @Test("wrong passwords at two servers have to wait as those at one")
  func guesses() async throws {
    try await ClusterScene.run { postgres, folder in try await Self.run(postgres.address(), folder) }
  }

  private static func run(_ database: String, _ folder: String) async throws {
    let a = try ClusterTests.start("a", folder, database), b = try ClusterTests.start("b", folder, database)
    defer { for server in [a.0, b.0] { server.kill() } }
    let made = try await onOwnThread {
      try ServerProcess.run(
        ["users", "create", "ann", "--data", folder + "/a", "--storage", database], input: "secretsecret\n")
    }
    #expect(made.status == 0, "\(made.errors)")
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    func logIn(_ password: String, at server: ServerProcess) async throws -> Int {
      let url = try NetworkURL(
        "http://127.0.0.1:\(server.port)/api/client/v2.0/app/todo/auth/providers/local-userpass/login")
      var request = HTTPClientRequest(method: "POST", url: url)
      request.body = Array(#"{"username":"ann","password":"\#(password)"}"#.utf8)
      return try await network.response(to: request).status
    }
    #expect(try await logIn("secretsecret", at: b.0) == 200)
    // Six are free, then 1, 2 and 4 seconds have to pass: if each server counted for itself, nine would be free at both.
    let start = ContinuousClock.now
    var failures = 0
    try await eventually("nine failures") {
      for server in [a.0, b.0] {
        let status = try await logIn("wrong", at: server)
        #expect([401, 429].contains(status))
        if status == 401 { failures += 1 }
      }
      return failures >= 9
    }
    #expect(ContinuousClock.now - start > .milliseconds(6_900))
    // Nobody is locked out.
    try await eventually("the end of the wait") { try await logIn("secretsecret", at: a.0) == 200 }
    withExtendedLifetime((a.1, b.1)) {}
  }
}
