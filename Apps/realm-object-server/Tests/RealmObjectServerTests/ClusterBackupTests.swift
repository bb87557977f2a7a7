import ChangesetOT
import Foundation
import PostgresClientTestSupport
import SyncProtocol
import TestKit
import Testing

/// A cluster's backup is that of its database, made while nodes serve.
@Suite("backups of a cluster", .enabled(if: PostgresServer.isThere))
struct ClusterBackupTests {
  @Test("a dump of the database is the cluster at that moment; clients that are ahead of it are told to reset")
  func restored() async throws {
    try await ClusterScene.run(Self.run)
  }

  private static func run(_ postgres: PostgresServer, _ folder: String) async throws {
    let dump = folder + "/cluster.dump"
    let first = try start(folder, postgres.address())
    let user = try await ServerUser(of: first, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let (author, reader) = (try user.client(of: first), try user.client(of: first))
    let (file, readerFile) = (try await author.open("/~/notes"), try await reader.open("/~/notes"))
    for version in UInt64(2)...31 { author.upload(version: version, bytes: KillTests.changeset(version)) }
    try await author.wait("what the dump has") { $0.acknowledged == 31 }
    try await onOwnThread { try program("pg_dump", ["-Fc", "-d", postgres.address(), "-f", dump]) }
    for version in UInt64(32)...61 { author.upload(version: version, bytes: KillTests.changeset(version)) }
    try await author.wait("what the dump lacks") { $0.acknowledged == 61 }
    try await reader.wait("all") { $0.entries.count >= 60 }
    #expect(first.stop() == 0)

    try await onOwnThread {
      try program("createdb", ["--maintenance-db", postgres.address(), "restored"])
      try program("pg_restore", ["-d", postgres.address("restored"), "--exit-on-error", dump])
    }
    // The node's own files are ahead of the database, and are made anew.
    let second = try start(folder, postgres.address("restored"))
    let other = try user.client(of: second)
    _ = try await other.open("/~/notes")
    #expect(other.now.entries.map(\.timestamp.rawValue) == Array(2...31))
    try await expectReset(user.client(of: second), as: file, from: author.now.progress)
    // Also when the history has passed where they were.
    for version in UInt64(2)...81 { other.upload(version: version, bytes: KillTests.changeset(version + 1_000)) }
    try await other.wait("more than there was") { $0.acknowledged == 81 }
    for (file, progress) in [(file, author.now.progress), (readerFile, reader.now.progress)] {
      try await expectReset(user.client(of: second), as: file, from: progress)
    }
    #expect(second.stop() == 0)
  }

  private static func expectReset(
    _ client: RawClient, as file: SaltedFileIdent, from progress: SyncProgress
  ) async throws {
    client.send(.bind(BindMessage(session: SessionIdent(1), path: "/~/notes", needsFileIdent: false)))
    client.send(
      .ident(
        ClientIdentMessage(
          session: SessionIdent(1), file: file, download: progress.download,
          latestServerVersion: progress.latestServerVersion)))
    try await client.wait("a refusal") { !$0.failures.isEmpty }
    #expect(client.now.actions == [.clientReset], "\(client.now.failures)")
  }

  private static func start(_ folder: String, _ database: String) throws -> ServerProcess {
    try ServerProcess(
      data: folder + "/a",
      arguments: [
        "--port", "0", "--storage", database, "--node", "a", "--node-address", "http://127.0.0.1:1", "--lease-seconds",
        "3",
      ])
  }

  private static func program(_ name: String, _ arguments: [String]) throws {
    let process = ChildProcess(), errors = Pipe()
    process.executableURL = URL(fileURLWithPath: (PostgresServer.programs ?? "") + "/" + name)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    #expect(process.waitForEnd() == 0, "\(name): \(String(decoding: complaint, as: UTF8.self))")
  }
}
