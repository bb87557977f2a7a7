import AuthClient
import ChangesetOT
import Foundation
import PostgresClientTestSupport
import SyncProtocol
import TestKit
import Testing

/// Servers, the tool and clients as processes and sockets; the data directory goes into a cluster and comes back.
@Suite("clients of a server that moves into a cluster and back", .enabled(if: PostgresServer.isThere))
struct ClusterMoveTests {
  /// Two clients of one realm, which stay what they are when their server is another one.
  private final class Pair {
    let user: ServerUser
    private var author: RawClient, reader: RawClient
    private let authorFile: SaltedFileIdent, readerFile: SaltedFileIdent
    /// The last version that the author has uploaded.
    private var last: UInt64 = 1
    private let path = "/~/notes"

    init(_ server: ServerProcess) async throws {
      user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
      (author, reader) = (try user.client(of: server), try user.client(of: server))
      (authorFile, readerFile) = (try await author.open(path), try await reader.open(path))
    }

    /// The clients write and read all.
    func goOn() async throws {
      let first = last + 1
      last += 30
      for version in first...last { author.upload(version: version, bytes: KillTests.changeset(version)) }
      try await author.wait("all acknowledged") { $0.acknowledged == self.last }
      try await reader.wait("all downloaded") { $0.entries.count >= Int(self.last - first + 1) }
      #expect(reader.now.entries.map(\.timestamp.rawValue) == Array(first...last), "each once, none anew")
    }

    /// The clients come back from where they were.
    func comeBack(to server: ServerProcess) async throws {
      let progress = (author.now.progress, reader.now.progress)
      (author, reader) = (try user.client(of: server), try user.client(of: server))
      #expect(try await author.open(path, as: authorFile, from: progress.0) == authorFile)
      #expect(try await reader.open(path, as: readerFile, from: progress.1) == readerFile)
      try await author.wait("what was acknowledged") { $0.acknowledged == self.last }
      #expect(reader.now.entries == [])
      #expect(author.now.failures + reader.now.failures == [])
    }

    /// A new client has everything.
    func compare(on server: ServerProcess) async throws {
      let client = try user.client(of: server)
      _ = try await client.open(path)
      #expect(client.now.entries.map(\.timestamp.rawValue) == Array(2...last))
    }
  }

  @Test(
    "clients go on with their files and positions on a node, and on a server alone again; imports are killed meanwhile")
  func thereAndBack() async throws {
    try await ClusterScene.run { postgres, folder in try await Self.run(postgres.address(), folder) }
  }

  private static func run(_ database: String, _ folder: String) async throws {
    let (data, back, storage) = (folder + "/data", folder + "/back", ["--storage", database])
    let single = try ServerProcess(data: data)
    let clients = try await Pair(single)
    defer { clients.user.end() }
    try await clients.goOn()
    let locked = try ServerProcess.run(["cluster", "import", "--data", data, "--json"] + storage)
    #expect(locked.errors.contains("data_directory_locked"))
    #expect(single.stop() == 0)

    // Killed wherever it is; the last run does what is left.
    for milliseconds in [10, 30, 50, 70] as [UInt32] {
      let (tool, _) = try ServerProcess.begin(["cluster", "import", "--data", data] + storage)
      usleep(milliseconds * 1_000)
      tool.signal(SIGKILL)
      tool.waitForEnd()
    }
    if !FileManager.default.fileExists(atPath: data + "/moved") {
      let moved = try ServerProcess.run(["cluster", "import", "--data", data] + storage)
      #expect(moved.status == 0, "\(moved.errors)")
      #expect(moved.output.hasPrefix("2 realms, "))
      #expect(moved.errors.contains("these stay in \(data)"))
    }
    for words in [["cluster", "import"] + storage, ["serve", "--port", "0"], ["backup", folder + "/none"]] {
      let refused = try ServerProcess.run(words + ["--data", data, "--json"])
      #expect(refused.errors.contains("were moved into a cluster"), "\(words): \(refused)")
    }

    let port = try ReservedPort()
    let node = try ServerProcess(
      data: data,
      arguments: [
        "--port", "\(port.port)", "--node", "a", "--node-address", "http://127.0.0.1:\(port.port)", "--lease-seconds",
        "3",
      ] + storage)
    try await clients.comeBack(to: node)
    try await clients.goOn()
    try await clients.compare(on: node)
    let early = try ServerProcess.run(["cluster", "export", back, "--data", data, "--json"] + storage)
    #expect(early.errors.contains("cluster_failure"))
    #expect(node.stop() == 0)
    withExtendedLifetime(port) {}

    let exported = try ServerProcess.run(["cluster", "export", back, "--data", data, "--json"] + storage)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(exported.output.contains("\"realms\":2"))
    let alone = try ServerProcess(data: back)
    try await clients.comeBack(to: alone)
    try await clients.goOn()
    try await clients.compare(on: alone)
    #expect(alone.stop() == 0)
    #expect(try ServerProcess.run(["verify", "--data", back]).status == 0)
  }
}
