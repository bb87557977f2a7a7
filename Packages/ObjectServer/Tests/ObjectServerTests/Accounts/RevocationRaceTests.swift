import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Telemetry
import TestKit
import Testing

/// Rights that another process takes away while a connection or a session is being opened.
@Suite("revocation races")
struct RevocationRaceTests {
  enum Revocation: CaseIterable {
    case grant, login, suspension, removal, key

    func apply(to directory: any Directory) throws {
      switch self {
      case .grant:
        try directory.setGrant(Grant(path: try RealmPath("/ann/todo"), grantee: .user("ben"), level: .none))
      case .login: try directory.endLogins(of: "ben", except: nil)
      case .suspension: try directory.updateUser("ben", isAdministrator: nil, isDisabled: true)
      case .removal: try directory.deleteUser("ben")
      case .key: try directory.setAPIKey("robot", isDisabled: true)
      }
    }
  }

  /// The directory of a stage, and the same as another process has it open.
  private static func directories(isShared: Bool) throws -> (one: any Directory, other: any Directory, path: String?) {
    guard TestStorage.isEmbedded else {
      let directories = try TestStorage.directories(2)
      return (directories[0], directories[isShared ? 1 : 0], nil)
    }
    guard isShared else {
      let directory = MemoryDirectory()
      return (directory, directory, nil)
    }
    let path = try DirectoryTests.path()
    return (try SQLiteDirectory(path: path), try SQLiteDirectory(path: path), path)
  }

  @Test("whatever is taken at whatever moment of the opening, nothing is open a second later", arguments: Seeds.some(6))
  func openings(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for revocation in Revocation.allCases {
      let (directory, other, path) = try Self.directories(isShared: seed % 3 == 0)
      defer { if let path { DirectoryTests.remove(path) } }
      let stage = try Stage(seed: seed, directory: directory)
      let ann = try stage.user("ann"), ben = try stage.user("ben")
      _ = try directory.createAPIKey(
        APIKeyRecord(id: "robot", user: "ben", name: "robot", digest: "d", createdAt: stage.loop.wallTime), by: nil)
      let now = stage.loop.wallTime
      try directory.createLogin(
        LoginRecord(
          id: "login-ben", user: "ben", app: "app", key: "robot", createdAt: now, expiresAt: now + .seconds(86_400)),
        proof: .lasting)
      _ = try stage.session(ann.token, "/ann/todo", from: "pc")
      try directory.setGrant(Grant(path: try RealmPath("/ann/todo"), grantee: .user("ben"), level: .write))
      stage.run(.seconds(1))

      let delay = Duration.microseconds(Int.random(in: 0..<3_000, using: &random))
      let loop = stage.loop
      let revoke = { _ = loop.schedule(after: delay) { try? revocation.apply(to: other) } }
      let isAtUpgrade = Bool.random(using: &random)
      if isAtUpgrade { revoke() }
      let client = try stage.connect(ben.token)
      if !isAtUpgrade { revoke() }
      client.bind(1, "/ann/todo")
      stage.run(.seconds(1))
      let isOut = client.closure != nil || client.take().contains { $0.failureCode != nil }
      #expect(isOut, "SEED=\(seed) \(revocation) after \(delay), \(isAtUpgrade ? "upgrade" : "bind")")
      stage.stop()
    }
  }

  @Test(
    "what is taken and heard between the look-up and the opening is seen when it opens",
    .enabled(if: TestStorage.isEmbedded, "the directory in memory alone can be stopped between the two"),
    arguments: Revocation.allCases)
  func betweenLookupAndOpening(revocation: Revocation) throws {
    for isAtUpgrade in [true, false] where isAtUpgrade != (revocation == .grant) {
      let directory = MemoryDirectory()
      let stage = try Stage(directory: directory)
      let ann = try stage.user("ann"), ben = try stage.user("ben")
      let now = stage.loop.wallTime
      _ = try directory.createAPIKey(
        APIKeyRecord(id: "robot", user: "ben", name: "robot", digest: "d", createdAt: now), by: nil)
      try directory.createLogin(
        LoginRecord(
          id: "login-ben", user: "ben", app: "app", key: "robot", createdAt: now, expiresAt: now + .seconds(86_400)),
        proof: .lasting)
      _ = try stage.session(ann.token, "/ann/todo", from: "pc")
      try directory.setGrant(Grant(path: try RealmPath("/ann/todo"), grantee: .user("ben"), level: .write))
      stage.run(.seconds(1))

      let hub = stage.server.hub
      let revoke = {
        directory.afterNextLookup {
          try? revocation.apply(to: directory)
          // The feed was read before the answer of the look-up came back to the loop.
          hub.feed.position = (try? directory.changes(after: nil))?.position
        }
      }
      if isAtUpgrade { revoke() }
      let client = try stage.connect(ben.token)
      if !isAtUpgrade { revoke() }
      client.bind(1, "/ann/todo")
      stage.run(.seconds(1))
      let isOut = client.closure != nil || client.take().contains { $0.failureCode != nil }
      #expect(isOut, "at the \(isAtUpgrade ? "upgrade" : "bind")")
    }
  }

  @Test("an administrator who is demoted by another process loses the realms of others within a second")
  func demotion() throws {
    let (directory, other, path) = try Self.directories(isShared: true)
    defer { if let path { DirectoryTests.remove(path) } }
    let stage = try Stage(directory: directory)
    let root = try stage.user("root", isAdministrator: true), ann = try stage.user("ann")
    _ = try stage.session(ann.token, "/~/todo", from: "pc")
    let (client, _) = try stage.session(root.token, "/ann/todo")
    try other.updateUser("root", isAdministrator: false, isDisabled: nil)
    stage.run(.seconds(1))
    #expect(client.closeCode == 4001)
    let again = try stage.connect(root.token)
    again.bind(1, "/ann/todo")
    stage.run()
    #expect(again.take().compactMap(\.failureCode) == [206])
  }

  @Test("a grant that another process changes reaches live sessions within a second")
  func grants() throws {
    let (directory, other, path) = try Self.directories(isShared: true)
    defer { if let path { DirectoryTests.remove(path) } }
    let stage = try Stage(directory: directory)
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    _ = try stage.session(ann.token, "/~/todo", from: "pc")
    let realm = try RealmPath("/ann/todo")
    try other.setGrant(Grant(path: realm, grantee: .user("ben"), level: .write))
    let (client, _) = try stage.session(ben.token, "/ann/todo")
    try other.setGrant(Grant(path: realm, grantee: .user("ben"), level: .none))
    stage.run(.seconds(1))
    #expect(client.take().compactMap(\.failureCode) == [206])
  }
}
