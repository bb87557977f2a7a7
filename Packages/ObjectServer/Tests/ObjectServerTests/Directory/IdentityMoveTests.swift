import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import Telemetry
import Testing

@Suite(
  "identities that move to another user",
  .enabled(if: TestStorage.isEmbedded, "copies SQLite's file after each statement"))
struct IdentityMoveTests {
  private static let now = WallTime(secondsSince1970: 1)

  private static func add(_ name: String, to directory: any Directory, isAdministrator: Bool = false) throws {
    _ = try directory.createUser(
      UserRecord(id: UserId(name), isAdministrator: isAdministrator, createdAt: now), identity: identity(name))
  }

  private static func identity(_ name: String) -> IdentityRecord {
    IdentityRecord(provider: "local-userpass", name: name, user: UserId(name), passwordHash: "hash of \(name)")
  }

  @Test("a crash in the middle of a move loses neither the account nor its name, wherever it happens")
  func crash() throws {
    let path = try DirectoryTests.path()
    defer { DirectoryTests.remove(path) }
    let directory = try SQLiteDirectory(path: path)
    for name in ["ann", "guest"] { try Self.add(name, to: directory) }
    let log = path + "-wal"
    let before = try Data(contentsOf: URL(fileURLWithPath: log)).count
    #expect(try directory.moveIdentity(Self.identity("ann"), to: "guest"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: log))
    let cuts = Array(stride(from: before, through: whole.count, by: 256)) + [whole.count]
    var owners: [UserId] = []
    for cut in cuts {
      // The machine went down when the log had this length.
      let copy = try DirectoryTests.path()
      defer { DirectoryTests.remove(copy) }
      for part in ["directory.db", "keys"] {
        let folder = (path as NSString).deletingLastPathComponent, other = (copy as NSString).deletingLastPathComponent
        try FileManager.default.copyItem(atPath: folder + "/" + part, toPath: other + "/" + part)
      }
      try whole.prefix(cut).write(to: URL(fileURLWithPath: copy + "-wal"))
      let found = try SQLiteDirectory(path: copy)
      defer { found.close() }
      #expect(try found.problems() == [])
      let identity = try #require(try found.identity(provider: "local-userpass", name: "ann"), "cut at \(cut)")
      #expect(identity.passwordHash == "hash of ann")
      #expect(try found.user(identity.user) != nil)
      owners.append(identity.user)
    }
    directory.close()
    #expect(owners.first == "ann")
    #expect(owners.last == "guest")
    #expect(owners == owners.sorted(), "the move happens once")
  }
}
