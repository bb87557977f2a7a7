import ByteCoding
@testable import ObjectServer
import Permissions
import Testing
import Transport

@Suite("The login of browsers in Studio")
struct StudioLoginTests {
  private static let pages = StaticFiles(["index.html": StaticFile(Array("<p>".utf8), name: "index.html")])

  private static func stage(_ access: ClientScope = .all) throws -> Stage {
    try Stage {
      $0.studio = pages
      $0.studioAccess = access
    }
  }

  /// Makes a user as apps do.
  private static func register(_ name: String, _ stage: Stage) throws -> UserId {
    let body = #"{"email":"\#(name)","password":"secret-\#(name)"}"#
    #expect(
      try stage.send("POST", "/api/client/v2.0/app/a/auth/providers/local-userpass/register", body: body).status == 201)
    return try #require(try stage.directory.identity(provider: "local-userpass", name: name)).user
  }

  /// Logs in; the cookie as a browser sends it back, and the anti-forgery token.
  private static func logIn(_ stage: Stage, _ name: String) throws -> (cookie: String, token: String) {
    let response = try stage.send(
      "POST", "/studio/session", body: #"{"username":"\#(name)","password":"secret-\#(name)"}"#,
      headers: ["Content-Type": "application/json"])
    let cookie = try #require(response.headers["Set-Cookie"])
    #expect(cookie.contains("HttpOnly"))
    #expect(cookie.contains("SameSite=Strict"))
    #expect(!response.text.contains("eyJ"))
    let token = try #require(try JSONValue(parsing: response.body)["token"]?.string)
    return (String(cookie.prefix { $0 != ";" }), token)
  }

  @Test("an administrator's cookie opens the administration API, and ends with the log-out")
  func cookie() throws {
    let stage = try Self.stage()
    let root = try Self.register("root", stage)
    _ = try stage.directory.updateUser(root, isAdministrator: true, isDisabled: nil)
    let (cookie, token) = try Self.logIn(stage, "root")
    let admin = "/api/openrealm/v1/admin/"
    #expect(try stage.send("GET", admin + "server", headers: ["Cookie": cookie]).status == 200)
    #expect(try stage.send("GET", "/studio/session", headers: ["Cookie": "a=b; \(cookie)"]).text.contains("root"))
    // A request that changes something needs the token besides.
    let level = #"{"level":"info"}"#
    for header in [nil, "", "wrong"] as [String?] {
      var headers: HTTPHeaders = ["Cookie": cookie]
      headers[StudioLogin.header] = header
      #expect(try stage.send("PUT", admin + "log-level", body: level, headers: headers).status == 403)
    }
    let headers: HTTPHeaders = ["Cookie": cookie, "X-OpenRealm-Token": token]
    #expect(try stage.send("PUT", admin + "log-level", body: level, headers: headers).status == 200)
    #expect(try stage.send("DELETE", "/studio/session", headers: ["Cookie": cookie]).status == 403)
    let end = try stage.send("DELETE", "/studio/session", headers: headers)
    #expect(end.status == 204)
    #expect(end.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(try stage.send("GET", admin + "server", headers: ["Cookie": cookie]).status == 401)
    #expect(try stage.send("GET", "/studio/session", headers: ["Cookie": cookie]).text == "null")
  }

  @Test("other users log in for their own realms only; administration is refused to them")
  func users() throws {
    let stage = try Self.stage()
    _ = try Self.register("ann", stage)
    let (cookie, token) = try Self.logIn(stage, "ann")
    let headers: HTTPHeaders = ["Cookie": cookie, "X-OpenRealm-Token": token]
    #expect(try stage.send("GET", "/studio/session", headers: headers).text.contains(#""scope":"user""#))
    for operation in AdminOperation.all where !operation.isOpen && operation.access == .administrator {
      let path = operation.segments.map { $0.hasPrefix("{") ? "1" : String($0) }.joined(separator: "/")
      let response = try stage.send(operation.method, AdminScene.prefix + path, headers: headers)
      #expect(response.status == 403, "\(operation.name)")
    }
    #expect(try stage.send("GET", AdminScene.prefix + "realms", headers: headers).status == 200)
  }

  @Test("forms of other sites and refresh tokens of apps do not log in")
  func refusals() throws {
    let stage = try Self.stage()
    _ = try Self.register("ann", stage)
    let login = try stage.send(
      "POST", "/api/client/v2.0/app/a/auth/providers/local-userpass/login",
      body: #"{"username":"ann","password":"secret-ann"}"#)
    let refresh = try #require(try JSONValue(parsing: login.body)["refresh_token"]?.string)
    let json: HTTPHeaders = ["Content-Type": "application/json"]
    let body = #"{"username":"ann","password":"secret-ann"}"#
    #expect(try stage.send("POST", "/studio/session", body: body).status == 400)
    let wrong = #"{"username":"ann","password":"guess"}"#
    #expect(try stage.send("POST", "/studio/session", body: wrong, headers: json).status == 401)
    let cookie = "\(StudioLogin.cookie)=\(refresh)"
    #expect(try stage.send("GET", "/api/openrealm/v1/permissions", headers: ["Cookie": cookie]).status == 401)
  }

  @Test("nobody finds Studio where the settings leave it out", arguments: [ClientScope.none, .local, .all])
  func scope(_ access: ClientScope) throws {
    let stage = try Self.stage(access)
    let status = try stage.send("GET", "/studio/").status
    // Requests of a stage come from no address of this machine.
    #expect(status == (access == .all ? 200 : 404))
    #expect(try stage.send("GET", "/studio").status == (access == .all ? 308 : 404))
  }
}
