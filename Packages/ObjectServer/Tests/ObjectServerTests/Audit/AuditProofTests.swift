import ByteCoding
import Cryptography
@testable import ObjectServer
import Testing
import Transport

@Suite("who the audit log names")
struct AuditProofTests {
  private static let json: HTTPHeaders = ["Content-Type": "application/json"]

  /// The entries whose events begin with a text, oldest first: event, actor, outcome.
  private static func entries(_ scene: AdminScene, _ event: String) async throws -> [[String]] {
    let answer = try await scene.call("GET", "audit?limit=1000")
    return (answer["entries"]?.elements ?? []).map { entry in
      ["event", "actor", "outcome"].map { entry[$0]?.string ?? "" }
    }.filter { $0[0].hasPrefix(event) }
  }

  @Test("a browser's login, what it does and its log-out are noted under its user, refusals under nobody")
  func cookies() async throws {
    try await AdminScene.run(studio: true) { scene in
      let made = try await scene.call(
        "POST", "users", body: #"{"name":"root","password":"secret-root","isAdministrator":true}"#)
      let root = try #require(made["id"]?.string)
      func logIn(_ password: String) async throws -> HTTPResponse {
        try await scene.send(
          "POST", "/studio/session", body: #"{"username":"root","password":"\#(password)"}"#, headers: Self.json)
      }
      #expect(try await logIn("a guess").status == 401)
      let login = try await logIn("secret-root")
      let cookie = String(try #require(login.headers["Set-Cookie"]).prefix { $0 != ";" })
      let token = try #require(try JSONValue(parsing: login.body)["token"]?.string)
      let headers: HTTPHeaders = ["Cookie": cookie, "X-OpenRealm-Token": token]
      let level = AdminScene.prefix + "log-level", body = #"{"level":"info"}"#
      #expect(try await scene.send("PUT", level, body: body, headers: ["Cookie": cookie]).status == 403)
      #expect(try await scene.send("PUT", level, body: body, headers: headers).status == 200)
      #expect(try await scene.send("DELETE", "/studio/session", body: "", headers: headers).status == 204)
      #expect(
        try await Self.entries(scene, "log") == [
          ["login", "", "InvalidPassword"], ["login", root, "ok"], ["logout", root, "ok"],
        ])
      #expect(
        try await Self.entries(scene, "admin.setLogLevel") == [
          ["admin.setLogLevel", "", "PermissionDenied"], ["admin.setLogLevel", root, "ok"],
        ])
    }
  }

  @Test("a token that nobody checked names nobody: a stranger cannot write another one's name into the log")
  func forged() async throws {
    try await AdminScene.run(studio: true) { scene in
      let forged = try JSONWebToken.sign(
        payload: Array(#"{"sub":"root","iat":1,"exp":4000000000}"#.utf8),
        with: .sharedSecret(Array(repeating: 1, count: 32)))
      var headers = Self.json
      headers["Authorization"] = "Bearer " + forged
      let register = "/api/client/v2.0/app/a/auth/providers/local-userpass/register"
      let made = try await scene.send(
        "POST", register, body: #"{"email":"eve","password":"secret-eve"}"#, headers: headers)
      #expect(made.status == 201)
      let login = try await scene.send(
        "POST", "/auth", body: #"{"provider":"password","data":"eve","user_info":{"password":"secret-eve"}}"#,
        headers: headers)
      let answer = try JSONValue(parsing: login.body)
      let eve = try #require(answer["refresh_token"]?["token_data"]?["identity"]?.string)
      let token = try #require(answer["refresh_token"]?["token"]?.string)
      #expect(try await scene.send("DELETE", "/studio/session", body: "", headers: headers).status == 204)
      let revoke = try await scene.send("POST", "/auth/revoke", body: #"{"token":"\#(token)"}"#, headers: headers)
      #expect(revoke.status == 200)
      // The login has ended: its token is refused, and that is noted.
      let session = "/api/client/v2.0/auth/session"
      #expect(
        try await scene.send("POST", session, body: "", headers: ["Authorization": "Bearer " + token]).status == 401)
      #expect(try await Self.entries(scene, "refresh") == [["refresh", "", "InvalidSession"]])
      let actors = try await Self.entries(scene, "").map { $0[1] }
      #expect(!actors.contains("root"), "\(actors)")
      #expect(actors.count { $0 == eve } == 2, "\(actors)")
    }
  }
}
