import AuthClient
import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import TestKit
import Testing
import Transport

@Suite("secrecy of names")
struct NamesTests {
  private static let password = HTTPTests.app + "/auth/providers/local-userpass"

  /// The answer to a request, without the name, and the number of password hashes for it.
  private static func answer(
    _ stage: Stage, _ path: String, _ body: String, name: String, bearer: String? = nil
  ) throws -> String {
    let before = stage.passwordHashes
    let response = try stage.send(
      "POST", path, bearer: bearer, body: body.replacingOccurrences(of: "NAME", with: name))
    let headers = response.headers.fields.map { "\($0.name): \($0.value)" }.filter { !$0.hasPrefix("Date") }.sorted()
    return "\(response.status) \(headers) \(response.text.replacingOccurrences(of: name, with: "NAME")) "
      + "\(stage.passwordHashes - before) hashes"
  }

  @Test("known and unknown names are answered alike, after the same work")
  func alike() throws {
    let rows: [(path: String, body: String)] = [
      (Self.password + "/login", #"{"username":"NAME","password":"wrong"}"#),
      (Self.password + "/login?link=true", #"{"username":"NAME","password":"wrong"}"#),
      ("/auth", #"{"provider":"password","data":"NAME","user_info":{"password":"wrong"}}"#),
      (Self.password + "/reset/send", #"{"email":"NAME"}"#),
      (Self.password + "/reset/call", #"{"email":"NAME","password":"p","arguments":[]}"#),
      (Self.password + "/reset", #"{"email":"NAME","password":"p","token":"t","tokenId":"i"}"#),
      (Self.password + "/confirm/send", #"{"email":"NAME"}"#),
      (Self.password + "/confirm/call", #"{"email":"NAME"}"#),
      (Self.password + "/confirm", #"{"email":"NAME","token":"t","tokenId":"i"}"#),
      (HTTPTests.app + "/auth/providers/custom-function/login", #"{"id":"NAME"}"#),
      (HTTPTests.app + "/auth/providers/api-key/login", #"{"key":"NAME"}"#),
    ]
    let stage = try Stage()
    let bearer = try stage.user("bearer").token
    _ = try stage.send("POST", Self.password + "/register", body: #"{"email":"ann@x","password":"right"}"#)
    for row in rows {
      let known = try Self.answer(stage, row.path, row.body, name: "ann@x", bearer: bearer)
      let unknown = try Self.answer(stage, row.path, row.body, name: "bob@x", bearer: bearer)
      #expect(known == unknown, "\(row.path)")
    }
    let link = try Self.answer(stage, rows[1].path, rows[1].body, name: "bob@x", bearer: bearer)
    #expect(link.hasSuffix("1 hashes"), "a link is checked by hashing")
  }

  @Test("a registration tells of a taken name at once, or where the operator hides it not at all, after the same work")
  func registration() throws {
    for hides in [false, true] {
      let stage = try Stage { $0.accounts.hidesTakenNames = hides }
      let body = #"{"email":"NAME","password":"mine"}"#
      let path = Self.password + "/register"
      let free = try Self.answer(stage, path, body, name: "ann@x")
      let taken = try Self.answer(stage, path, body, name: "ann@x")
      #expect((free == taken) == hides)
      #expect(free.hasSuffix("1 hashes"))
      #expect(taken.hasSuffix(hides ? "1 hashes" : "0 hashes"))
      // Nothing was changed by the second one.
      let other = try stage.send("POST", path, body: #"{"email":"ann@x","password":"other"}"#)
      #expect(other.status == (hides ? 201 : 409))
      let login = try stage.send("POST", Self.password + "/login", body: #"{"username":"ann@x","password":"other"}"#)
      #expect(login.status == 401)
      #expect(
        try stage.send("POST", Self.password + "/login", body: #"{"username":"ann@x","password":"mine"}"#).status == 200
      )
    }
  }

  @Test("names that are tried by registering or by sharing are counted like passwords, per network")
  func counted() throws {
    let stage = try Stage { $0.accountsPerSecond = 100_000 }
    let ann = try stage.user("ann")
    let url = try NetworkURL("http://server:9080" + Self.password + "/register")
    var request = HTTPClientRequest(method: "POST", url: url)
    request.body = Array(#"{"email":"ann","password":"x"}"#.utf8)
    let boxes = (0..<150).map { _ in Box<Result<HTTPResponse, TransportError>>() }
    for box in boxes { stage.network.host("browser").send(request) { box.value = $0 } }
    stage.run(.milliseconds(400))
    let statuses = try boxes.map { try #require($0.value).get().status }
    #expect((100...102).contains(statuses.count { $0 == 409 }), "\(statuses)")
    #expect(statuses.count { $0 == 429 } == 150 - statuses.count { $0 == 409 })
    let share = #"{"path":"/~/x","username":"nobody","access":"read"}"#
    let unknown = try (0..<3).map { _ in
      try stage.send("POST", "/api/openrealm/v1/permissions", bearer: ann.token, body: share).status
    }
    #expect(unknown.allSatisfy { [404, 429].contains($0) })
  }
}
