import Cryptography
import Foundation
import PostgresClient
import PostgresClientTestSupport
import TestKit
import Testing
import Transport
import TransportReal

/// The keys of servers over one database, as processes.
@Suite("keys of a cluster", .enabled(if: PostgresServer.isThere))
struct ClusterKeysTests {
  private static func keyName(_ token: String) throws -> String? {
    try JSONWebToken.parseWithoutVerification(token).header.keyIdentifier
  }

  @Test("a server without keys joins, and while the keys of tokens are rotated no token is refused at either")
  func rotation() async throws {
    try await ClusterScene.run { postgres, folder in
      let database = postgres.address()
      let a = try ClusterTests.start("a", folder, database), b = try ClusterTests.start("b", folder, database)
      defer { for server in [a.0, b.0] { server.kill() } }
      let loop = try EventLoop(name: "test")
      defer { loop.shutDown() }
      let network = RealNetwork(loop: loop)
      /// The status of a profile that is asked for at one server with a token of the other.
      func status(of user: ServerUser, at server: ServerProcess) async throws -> Int {
        let url = try NetworkURL("http://127.0.0.1:\(server.port)/api/client/v2.0/auth/profile")
        var request = HTTPClientRequest(method: "GET", url: url)
        request.headers["Authorization"] = "Bearer " + user.token
        return try await network.response(to: request).status
      }
      let early = try await ServerUser(of: a.0)
      defer { early.end() }
      let old = try #require(try Self.keyName(early.token))
      let rotation = Task {
        try await onOwnThread {
          try ServerProcess.run(["keys", "rotate", "--data", folder + "/tool", "--storage", database])
        }
      }
      var renewed: Set<String> = []
      try await eventually("tokens of both servers under the new key", looks: 1_000) {
        for (name, server, other) in [("a", a.0, b.0), ("b", b.0, a.0)] {
          let user = try await ServerUser(of: server)
          defer { user.end() }
          #expect(try await status(of: user, at: other) == 200, "a token of \(name) at the other")
          if try Self.keyName(user.token) != old { renewed.insert(name) }
        }
        return renewed.count == 2
      }
      #expect(try await rotation.value.status == 0)
      #expect(try await status(of: early, at: b.0) == 200)
      let keys = try ["a", "b", "tool"].map {
        try String(contentsOfFile: "\(folder)/\($0)/keys/token.key", encoding: .utf8)
      }
      #expect(Set(keys).count == 1)
      withExtendedLifetime((a.1, b.1)) {}
    }
  }

  @Test("keys that are wrapped stand nowhere in the database, and a server with another secret, or none, is told so")
  func secret() async throws {
    try await ClusterScene.run { postgres, folder in
      let database = postgres.address()
      try await onOwnThread {
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, digit) in [("right", "5"), ("wrong", "6")] {
          try String(repeating: digit, count: 64).write(
            toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
        try "short".write(toFile: folder + "/short", atomically: true, encoding: .utf8)
        let secret = ["--cluster-secret-file", folder + "/right"]
        let (a, port) = try ClusterTests.start("a", folder, database, secret)
        defer { a.kill() }
        let key = try String(contentsOfFile: folder + "/a/keys/token.key", encoding: .utf8)
        let rows = try PostgresConnection(PostgresConnection.parameters(of: database)).query(
          "SELECT encode(content, 'escape') FROM openrealm.cluster_key")
        #expect(rows.count == 2)
        for row in 0..<rows.count { #expect(rows[row, 0]?.contains(key.prefix(64)) == false) }
        for (words, part) in [
          (["--cluster-secret-file", folder + "/wrong"], "not the one"), ([], "this node has none"),
          (["--cluster-secret-file", folder + "/short"], "fewer than 32"),
          (["--cluster-secret-file", folder + "/missing"], "cannot be read"),
        ] {
          let outcome = try ServerProcess.run(
            [
              "serve", "--port", "0", "--data", folder + "/b", "--storage", database, "--node", "b", "--node-address",
              "http://127.0.0.1:1",
            ] + words)
          #expect(outcome.status != 0)
          #expect(outcome.errors.contains(part), "\(outcome.errors)")
        }
        let (b, _) = try ClusterTests.start("b", folder, database, secret)
        b.kill()
        #expect(try String(contentsOfFile: folder + "/b/keys/token.key", encoding: .utf8) == key)
        withExtendedLifetime(port) {}
      }
    }
  }
}
