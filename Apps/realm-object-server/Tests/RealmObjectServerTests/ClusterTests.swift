import Foundation
import PostgresClientTestSupport
import TestKit
import Testing

/// Servers over one database, as processes.
@Suite("servers of a cluster", .enabled(if: PostgresServer.isThere))
struct ClusterTests {
  private struct Node: Decodable {
    var name, state: String
    var realms: Int
  }

  static func start(
    _ name: String, _ folder: String, _ database: String, _ more: [String] = []
  ) throws -> (ServerProcess, ReservedPort) {
    let port = try ReservedPort()
    let server = try ServerProcess(
      data: folder + "/" + name,
      arguments: [
        "--port", "\(port.port)", "--storage", database, "--node", name, "--node-address",
        "http://127.0.0.1:\(port.port)", "--lease-seconds", "3",
      ] + more)
    return (server, port)
  }

  private static func nodes(_ database: String) throws -> [String: Node] {
    let outcome = try ServerProcess.run(["cluster", "status", "--storage", database, "--json"])
    #expect(outcome.errors == "")
    let nodes = try JSONDecoder().decode([Node].self, from: Data(outcome.output.utf8))
    return Dictionary(uniqueKeysWithValues: nodes.map { ($0.name, $0) })
  }

  @Test("servers share users and realms; the tool lists them, moves a realm, drains one; a killed one is replaced")
  func cluster() async throws {
    try await ClusterScene.run { postgres, folder in
      try await onOwnThread { try Self.run(postgres.address(), folder) }
    }
  }

  private static func run(_ database: String, _ folder: String) throws {
    let (a, portA) = try start("a", folder, database)
    defer { a.kill() }
    // The server of another cluster is refused.
    let foreign = folder + "/c/keys"
    try FileManager.default.createDirectory(
      atPath: foreign, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try String(repeating: "ab", count: 32).write(
      toFile: foreign + "/directory.key", atomically: true, encoding: .utf8)
    let stranger = try ServerProcess.run([
      "serve", "--port", "0", "--data", folder + "/c", "--storage", database, "--node", "c", "--node-address",
      "http://127.0.0.1:1", "--json",
    ])
    #expect(stranger.status == 1)
    #expect(stranger.errors.contains("bad_key"))
    // One without keys gets those of the cluster.
    let (b, portB) = try start("b", folder, database)
    defer { b.kill() }

    // A user whom the tool makes beside them.
    let made = try ServerProcess.run(
      ["users", "create", "ann", "--data", folder + "/b", "--storage", database], input: "secretsecret\n")
    #expect(made.status == 0, "\(made.errors)")
    let users = try ServerProcess.run(["users", "list", "--data", folder + "/a", "--storage", database])
    #expect(users.output.contains("ann"))

    // The first server made the realm of apps, and has it.
    #expect(try nodes(database).mapValues(\.state) == ["a": "alive", "b": "alive"])
    #expect(try nodes(database).mapValues(\.realms) == ["a": 1, "b": 0])
    let moved = try ServerProcess.run(["cluster", "move", "/default", "b", "--storage", database])
    #expect(moved.output == "/default is at b\n", "\(moved.errors)")
    let drained = try ServerProcess.run(["cluster", "drain", "b", "--storage", database, "--json"])
    #expect(drained.output == "{\"node\":\"b\",\"draining\":true}\n", "\(drained.errors)")
    #expect(try nodes(database).mapValues(\.realms) == ["a": 1, "b": 0])
    #expect(try nodes(database)["b"]?.state == "draining")
    let refused = try ServerProcess.run(["cluster", "move", "/default", "b", "--storage", database])
    #expect(refused.status == 1)
    let undone = try ServerProcess.run(["cluster", "drain", "b", "--undo", "--storage", database])
    #expect(undone.output == "b takes realms\n")

    // The files of a node are copies: the work on those of a server that is alone is refused.
    for words in [["backup", folder + "/backup"], ["verify"], ["vacuum"]] {
      let outcome = try ServerProcess.run(words + ["--data", folder + "/a", "--storage", database, "--json"])
      #expect(outcome.errors.contains("cluster_failure"))
    }

    // The realms of a server that stops are free at once.
    #expect(a.stop() == 0)
    #expect(try nodes(database)["a"]?.state == "away")
    withExtendedLifetime((portA, portB)) {}
  }

  @Test("settings that do not make a node are refused with what is missing")
  func settings() throws {
    for (words, part) in [
      (["--storage", "mysql://x"], "no address of a database"), (["--node", "a"], "storage is not"),
      (["--storage", "postgresql://127.0.0.1:1/none"], "node or node-address is not"),
      (
        ["--storage", "postgresql://127.0.0.1:1/none", "--node", "a", "--node-address", "nowhere"],
        "write it as http://10.0.0.7:9080"
      ),
    ] {
      let outcome = try ServerProcess.run(["serve", "--port", "0", "--data", "/nonexistent"] + words)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }
  }

  @Test(
    "the password of the database is in nothing that 'config check' prints, nor in an error",
    arguments: [[], ["--json"]])
  func password(more: [String]) throws {
    let settings = ["--node", "a", "--node-address", "http://127.0.0.1:1", "--data", ServerProcess.temporaryFolder()]
    for address in ["postgresql://ann:geheim@db/x?password=geheim&port=1", "mysql://ann:geheim@db/x"] {
      let outcome = try ServerProcess.run(["config", "check", "--storage", address] + settings + more)
      #expect(!(outcome.output + outcome.errors).contains("geheim"), "\(outcome)")
      #expect((outcome.output + outcome.errors).contains("ann:…@db"), "\(outcome)")
    }
  }
}
