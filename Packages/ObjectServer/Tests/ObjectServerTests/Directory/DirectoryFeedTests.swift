import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import SQLiteDatabase
import Telemetry
import TestKit
import Testing

@Suite("the feed of the directory")
struct DirectoryFeedTests {
  private static let time = WallTime(secondsSince1970: 1_000)

  private static func user(_ name: String, in directory: any Directory) throws {
    _ = try directory.createUser(
      UserRecord(id: UserId(name), createdAt: time),
      identity: IdentityRecord(provider: "p", name: name, user: UserId(name), passwordHash: "h"))
    try directory.createLogin(
      LoginRecord(id: "login " + name, user: UserId(name), app: "a", createdAt: time, expiresAt: time), proof: .lasting)
  }

  @Test("another connection to the file hears what one changed, in its order", arguments: ["endLogin", "suspend"])
  func otherProcess(change: String) throws {
    let path = try DirectoryTests.path()
    defer { DirectoryTests.remove(path) }
    let one = try SQLiteDirectory(path: path), other = try SQLiteDirectory(path: path)
    defer { for directory in [one, other] { directory.close() } }
    try Self.user("ann", in: one)
    let start = try other.changes(after: nil).position
    if change == "endLogin" { try one.endLogin("login ann") }
    if change == "suspend" { try one.updateUser("ann", isAdministrator: nil, isDisabled: true) }
    let realm = try RealmPath("/ann/todo")
    try one.setGrant(Grant(path: realm, grantee: .everyone, level: .read))
    let heard = try other.changes(after: start)
    #expect(heard.changes == [.user("ann"), .realm(realm)])
    #expect(heard.isComplete)
    #expect(try other.changes(after: heard.position).changes.isEmpty)
  }

  @Test("a position that is too old, or ahead of the feed, is told to look at everything")
  func forgotten() throws {
    let directory = try SQLiteDirectory(path: ":memory:")
    defer { directory.close() }
    try Self.user("ann", in: directory)
    #expect(try !directory.changes(after: 99).isComplete)
    // The feed as it is after more changes than are remembered.
    try directory.use { try $0.put(.changes, .integer(1), .text("user"), .text("bob")) }
    try directory.use { try $0.put(.changes, .integer(20_223), .text("user"), .text("bob")) }
    for _ in 0..<33 { try directory.updateUser("ann", isAdministrator: nil, isDisabled: false) }
    #expect(try !directory.changes(after: 0).isComplete)
    #expect(try directory.changes(after: 20_250).changes.count == 6)
    #expect(try directory.problems().isEmpty)
  }

  @Test("a change is told to this process when it is durable, and reading tells nothing")
  func told() throws {
    for directory in [try SQLiteDirectory(path: ":memory:"), MemoryDirectory()] as [any Directory] {
      try Self.user("ann", in: directory)
      let heard = Box<Int64>()
      directory.whenChanged { [weak heard] in heard?.value = (try? directory.changes(after: nil))?.position }
      _ = try directory.user("ann")
      #expect(heard.value == nil)
      try directory.endLogins(of: "ann", except: nil)
      #expect(heard.value == 1)
      directory.whenChanged(nil)
      directory.close()
    }
  }

  @Test("a key that is created while its login ends does not come into being, and goes with it otherwise")
  func keyAfterPassword() throws {
    for directory in [try SQLiteDirectory(path: ":memory:"), MemoryDirectory()] as [any Directory] {
      try Self.user("ann", in: directory)
      let identity = try #require(try directory.identity(provider: "p", name: "ann"))
      func key(_ id: String) -> APIKeyRecord {
        APIKeyRecord(id: id, user: "ann", name: id, digest: "digest " + id, createdAt: Self.time)
      }
      #expect(try directory.createAPIKey(key("before"), by: "login ann"))
      #expect(try directory.setPassword("new", of: identity, keepingLogin: nil, keepsKeys: false) == 1)
      #expect(try !directory.createAPIKey(key("after"), by: "login ann"))
      #expect(try directory.apiKeys(of: "ann").isEmpty)
      directory.close()
    }
  }

  @Test("a partial view has the grants and the existence of its reference realm, under its present name")
  func partialViews() throws {
    for directory in [try SQLiteDirectory(path: ":memory:"), MemoryDirectory()] as [any Directory] {
      let realm = try RealmPath("/ann/todo"), view = try RealmPath("/ann/todo/__partial/ben/main")
      let rules = AccessRules(), ben = AccessSubject(user: "ben")
      _ = try directory.recordRealm(realm, createdBy: "ann", at: Self.time)
      #expect(rules.decide(ben, wants: .read, of: try directory.facts(of: view)).level == .none)
      try directory.setGrant(Grant(path: realm, grantee: .user("ben"), level: .write))
      #expect(rules.decide(ben, wants: .read, of: try directory.facts(of: view)).level == .write)
      #expect(try directory.renameRealm(realm, to: RealmPath("/ann/done")))
      #expect(rules.decide(ben, wants: .read, of: try directory.facts(of: view)).level == .write)
      let news = try RealmPath("/news"), newsView = try RealmPath("/news/__partial/ben/main")
      #expect(rules.decide(ben, wants: .read, of: try directory.facts(of: newsView)).reason == .missingRealm)
      _ = try directory.recordRealm(news, createdBy: "ann", at: Self.time)
      #expect(rules.decide(ben, wants: .read, of: try directory.facts(of: newsView)).level == .read)
      directory.close()
    }
  }
}
