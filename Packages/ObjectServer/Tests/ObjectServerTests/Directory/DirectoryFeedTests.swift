import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import SQLiteDatabase
import ServerClusterTestSupport
import Telemetry
import TestKit
import Testing

@Suite(
  "the feed of the directory",
  .enabled(if: TestStorage.isEmbedded, "writes rows of the SQLite directory; PostgresDirectoryTests do the same"))
struct DirectoryFeedTests {
  private static let time = WallTime(secondsSince1970: 1_000)

  private static func user(_ name: String, in directory: any Directory) throws {
    _ = try directory.createUser(
      UserRecord(id: UserId(name), createdAt: time),
      identity: IdentityRecord(provider: "p", name: name, user: UserId(name), passwordHash: "h"))
    try directory.createLogin(
      LoginRecord(id: "login " + name, user: UserId(name), app: "a", createdAt: time, expiresAt: time), proof: .lasting)
  }

  @Test("a position that is too old, or ahead of the feed, is told to look at everything")
  func forgotten() throws {
    let directory = try SQLiteDirectory(path: ":memory:")
    defer { directory.close() }
    try Self.user("ann", in: directory)
    #expect(try !directory.changes(after: 99).isComplete)
    // The feed as it is after more changes than are remembered.
    try directory.write { try $0.put(.changes, .integer(1), .text("user"), .text("bob")) }
    try directory.write { try $0.put(.changes, .integer(20_223), .text("user"), .text("bob")) }
    for _ in 0..<33 { try directory.updateUser("ann", isAdministrator: nil, isDisabled: false) }
    #expect(try !directory.changes(after: 0).isComplete)
    #expect(try directory.changes(after: 20_250).changes.count == 6)
    #expect(try directory.problems().isEmpty)
  }
}
