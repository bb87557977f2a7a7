import Foundation
@testable import ObjectServer
import Permissions
import Testing
import Transport

@Suite("the users of a realm")
struct RealmUsersTests {
  private struct Answer: Decodable {
    struct User: Decodable, Hashable {
      var userId: String
      var name: String?
      var access: String?
      var sessions: Int
    }
    var access: String
    var users: [User]
  }

  /// ann's realm, which ben may write and carol may read; ben is connected with two devices.
  private struct Scene {
    let stage: Stage
    let tokens: [String: String]

    init() throws {
      stage = try Stage()
      var tokens: [String: String] = [:]
      for name in ["ann", "ben", "carol", "dan"] { tokens[name] = try stage.user(name).token }
      self.tokens = tokens
      let path = try Permissions.RealmPath("/ann/todo")
      for (name, level) in [("ben", AccessLevel.write), ("carol", .read)] {
        try stage.directory.setGrant(Grant(path: path, grantee: .user(UserId(name)), level: level))
      }
      _ = try stage.session(tokens["ann"] ?? "", "/~/todo")
      for device in ["phone", "tablet"] { _ = try stage.session(tokens["ben"] ?? "", "/ann/todo", from: device) }
      stage.run()
    }

    func ask(_ name: String, path: String = "/ann/todo") throws -> (status: Int, answer: Answer?) {
      let response = try stage.send("GET", "/api/openrealm/v1/realms/users?path=\(path)", bearer: tokens[name])
      return (response.status, try? JSONDecoder().decode(Answer.self, from: Data(response.body)))
    }
  }

  @Test("who manages it is told all who have access, their rights, and who is connected")
  func manager() throws {
    let answer = try #require(try Scene().ask("ann").answer)
    #expect(answer.access == "manage")
    #expect(
      answer.users == [
        .init(userId: "ann", name: "ann", access: "manage", sessions: 1),
        .init(userId: "ben", name: "ben", access: "write", sessions: 2),
        .init(userId: "carol", name: "carol", access: "read", sessions: 0),
      ])
  }

  @Test("a reader is told of the owner, of themselves and of who is connected, not of others' rights")
  func reader() throws {
    let answer = try #require(try Scene().ask("carol").answer)
    #expect(answer.access == "read")
    #expect(
      answer.users == [
        .init(userId: "ann", name: "ann", access: "manage", sessions: 1),
        .init(userId: "ben", name: "ben", access: nil, sessions: 2),
        .init(userId: "carol", name: "carol", access: "read", sessions: 0),
      ])
  }

  @Test("a user without access is told nothing")
  func stranger() throws {
    let scene = try Scene()
    #expect(try scene.ask("dan").status == 403)
    #expect(try scene.ask("ann", path: "").status == 400)
  }
}
