import AuthClient
import ChangesetOT
import Foundation
import SyncProtocol
import Synchronization
import Testing

@Suite("backups of a real server", .serialized)
struct BackupTests {
  @Test("a backup made while a client writes is whole, and clients of after it are told to reset when it is restored")
  func whileWriting() async throws {
    let data = ServerProcess.temporaryFolder()
    let (backup, restored) = (data + "-backup", data + "-restored")
    defer { for folder in [data, backup, restored] { try? FileManager.default.removeItem(atPath: folder) } }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }

    let author = try user.client(of: server)
    let file = try await author.open("/~/notes")
    let isBackedUp = Atomic<Bool>(false)
    // Until the backup is made, and then some more.
    async let written = {
      var version: UInt64 = 1
      var rest = 100
      while rest > 0 {
        version += 1
        if isBackedUp.load(ordering: .acquiring) { rest -= 1 }
        author.upload(version: version, bytes: KillTests.changeset(version))
        try await Task.sleep(for: .milliseconds(1))
      }
      return version
    }()
    try await author.wait("some acknowledgements") { $0.acknowledged > 20 }
    let before = author.now.acknowledged
    let made = try ServerProcess.run(["backup", backup, "--data", data])
    isBackedUp.store(true, ordering: .releasing)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.hasPrefix("2 realms"))
    let last = try await written
    try await author.wait("everything") { $0.acknowledged == last }
    let late = try user.client(of: server)
    let lateFile = try await late.open("/~/notes")
    let lateProgress = late.now.cursor
    #expect(server.stop() == 0)

    #expect(try ServerProcess.run(["verify", backup]).status == 0)
    #expect(try ServerProcess.run(["verify", "--data", data]).status == 0)
    let twice = try ServerProcess.run(["backup", backup, "--data", data])
    #expect(twice.status == 1)
    #expect(twice.errors.contains("exists already"))
    let full = try ServerProcess.run(["restore", backup, "--data", data])
    #expect(full.status == 1)
    #expect(full.errors.contains("is not empty"))
    let made2 = try ServerProcess.run(["restore", backup, "--data", restored])
    #expect(made2.status == 0, "\(made2.errors)")

    let second = try ServerProcess(data: restored)
    let reader = try user.client(of: second)
    _ = try await reader.open("/~/notes")
    let found = reader.now.entries.map(\.timestamp.rawValue)
    #expect(found == Array(2..<(2 + UInt64(found.count))), "in order, each once")
    #expect(
      UInt64(found.count) + 1 >= before,
      "what was acknowledged before the backup is in it, and what was made after it is not")
    #expect(
      UInt64(found.count) + 1 < last,
      "what was acknowledged before the backup is in it, and what was made after it is not")
    for (ident, cursor) in [(file, DownloadCursor.zero), (lateFile, lateProgress)] {
      let client = try user.client(of: second)
      client.send(.bind(BindMessage(session: SessionIdent(1), path: "/~/notes", needsFileIdent: false)))
      client.send(.ident(ClientIdentMessage(session: SessionIdent(1), file: ident, download: cursor)))
      try await client.wait("a refusal") { !$0.failures.isEmpty }
      #expect(client.now.actions == [.clientReset])
    }
    #expect(second.stop() == 0)
  }

  @Test("damage in a backup or a data directory is found, named, and ends with 1")
  func damage() async throws {
    let data = ServerProcess.temporaryFolder()
    let (backup, restored) = (data + "-backup", data + "-restored")
    defer { for folder in [data, backup, restored] { try? FileManager.default.removeItem(atPath: folder) } }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server)
    defer { user.end() }
    let author = try user.client(of: server)
    _ = try await author.open("/~/notes")
    for version in UInt64(2)...40 { author.upload(version: version, bytes: KillTests.changeset(version)) }
    try await author.wait("everything") { $0.acknowledged == 40 }
    #expect(try ServerProcess.run(["backup", backup, "--data", data]).status == 0)
    #expect(try ServerProcess.run(["vacuum", "--minimum-waste", "0", "--minimum-kb", "0", "--data", data]).status == 0)
    author.upload(version: 41, bytes: KillTests.changeset(41))
    try await author.wait("life after the vacuum") { $0.acknowledged == 41 }
    #expect(server.stop() == 0)
    #expect(try ServerProcess.run(["verify", "--data", data]).status == 0)

    for folder in [backup, data] {
      let file = "\(folder)/realms/named/\(user.id).d/notes.realm"
      var bytes = try #require(FileManager.default.contents(atPath: file))
      #expect(bytes.count > 15_000)
      for at in stride(from: 9_000, to: bytes.count, by: 3_000) { bytes[at] ^= 0x55 }
      try bytes.write(to: URL(fileURLWithPath: file))
      let result = try ServerProcess.run(["verify", "--data", folder])
      #expect(result.status == 1, "\(result)")
      #expect(result.output.contains("notes.realm: "), "\(result)")
    }
    let refused = try ServerProcess.run(["restore", backup, "--data", restored])
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors.contains("missing or damaged"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: restored))
    let nothing = try ServerProcess.run(["verify", "--data", restored])
    #expect(nothing.status == 1)
    #expect(nothing.errors.contains("is no data directory"))
  }
}
