import AccessTokens
import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import Testing
import Transport

@Suite("the HTTP API of stock clients")
struct HTTPTests {
  static let app = "/api/client/v2.0/app/todo-abcde"
  static let auth = "/api/client/v2.0/auth"

  static func json(_ response: HTTPResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
  }

  @Test("register, log in, profile, refresh and log out answer what stock clients read")
  func wholeLogin() throws {
    let stage = try Stage()
    let location = try Self.json(try stage.send("GET", Self.app + "/location"))
    #expect(location["hostname"] as? String == "http://server:9080")
    #expect(location["ws_hostname"] as? String == "ws://server:9080")
    #expect(location["deployment_model"] != nil)
    #expect(location["location"] != nil)

    let register = try stage.send(
      "POST", Self.app + "/auth/providers/local-userpass/register", body: #"{"email":"a@b.c","password":"secret1"}"#)
    #expect(register.status == 201)
    let login = try stage.send(
      "POST", Self.app + "/auth/providers/local-userpass/login",
      body: #"{"provider":"local-userpass","username":"a@b.c","password":"secret1","options":{"device":{"sdk":"x"}}}"#)
    #expect(login.status == 200)
    let tokens = try Self.json(login)
    let access = try #require(tokens["access_token"] as? String)
    let refresh = try #require(tokens["refresh_token"] as? String)
    let id = try #require(tokens["user_id"] as? String)
    #expect(id.count == 24)
    #expect((tokens["device_id"] as? String)?.count == 24)

    let profile = try Self.json(try stage.send("GET", Self.auth + "/profile", bearer: access))
    let identities = try #require(profile["identities"] as? [[String: String]])
    #expect(identities == [["id": "a@b.c", "provider_type": "local-userpass"]])
    #expect((profile["data"] as? [String: String])?["email"] == "a@b.c")

    let session = try stage.send("POST", Self.auth + "/session", bearer: refresh)
    #expect(session.status == 201)
    let renewed = try #require(try Self.json(session)["access_token"] as? String)
    #expect(try TokenVerifier.readWithoutVerification(renewed).user == UserId(id))

    #expect(try stage.send("DELETE", Self.auth + "/session", bearer: refresh).status == 204)
    #expect(try stage.send("POST", Self.auth + "/session", bearer: refresh).status == 401)
    #expect(try stage.send("GET", Self.auth + "/profile", bearer: renewed).status == 401)
  }

  @Test("an anonymous login makes a new user each time")
  func anonymous() throws {
    let stage = try Stage()
    func login() throws -> String? {
      try Self.json(try stage.send("POST", Self.app + "/auth/providers/anon-user/login"))["user_id"] as? String
    }
    let (one, other) = (try login(), try login())
    #expect(one != nil)
    #expect(other != nil)
    #expect(one != other)
  }

  @Test("a refusal has the status, the exact content type and the name that stock clients read")
  func refusals() throws {
    let stage = try Stage()
    let register = Self.app + "/auth/providers/local-userpass/register"
    let login = Self.app + "/auth/providers/local-userpass/login"
    let body = #"{"email":"a@b.c","password":"secret1"}"#
    #expect(try stage.send("POST", register, body: body).status == 201)
    let rows: [(String, String, String, String?, Int, String)] = [
      ("POST", register, body, nil, 409, "AccountNameInUse"),
      ("POST", register, #"{"email":"","password":"x"}"#, nil, 400, "BadRequest"),
      ("POST", register, #"{"email":"x","password":""}"#, nil, 400, "BadRequest"),
      ("POST", register, #"{"email":"x"}"#, nil, 400, "MissingParameter"),
      ("POST", register, #"{"email":7,"password":"x"}"#, nil, 400, "InvalidParameter"),
      ("POST", register, "not json", nil, 400, "BadRequest"),
      ("POST", register, "[]", nil, 400, "InvalidParameter"),
      ("POST", login, #"{"username":"a@b.c","password":"wrong"}"#, nil, 401, "InvalidPassword"),
      ("POST", login, #"{"username":"nobody","password":"wrong"}"#, nil, 401, "InvalidPassword"),
      ("POST", login, #"{"username":"a@b.c"}"#, nil, 400, "MissingParameter"),
      ("POST", Self.app + "/auth/providers/oauth2-google/login", "{}", nil, 404, "AuthProviderNotFound"),
      (
        "POST", Self.app + "/auth/providers/custom-token/login", #"{"token":"x.y.z"}"#, nil, 404, "AuthProviderNotFound"
      ),
      ("GET", Self.auth + "/profile", "", nil, 401, "MissingAuthReq"),
      ("GET", Self.auth + "/profile", "", "rubbish", 401, "InvalidSession"),
      ("POST", Self.auth + "/session", "", "a.b.c", 401, "InvalidSession"),
      ("GET", "/", "", nil, 404, "NotFound"),
      ("GET", "/api/client/v2.0/app", "", nil, 404, "NotFound"),
      ("DELETE", Self.app + "/location", "", nil, 405, "MethodNotAllowed"),
      ("GET", "/%ZZ/%00", "", nil, 404, "NotFound"),
      ("POST", Self.app + "/functions/call", "{}", nil, 404, "FunctionNotFound"),
    ]
    for (method, path, body, bearer, status, code) in rows {
      let response = try stage.send(method, path, bearer: bearer, body: body)
      let json = try Self.json(response)
      #expect(response.status == status, "\(method) \(path) \(body)")
      #expect(json["error_code"] as? String == code, "\(method) \(path) \(body)")
      #expect(json["error"] is String)
      #expect(json["link"] is String)
      #expect(response.headers["Content-Type"] == "application/json")
    }
  }

  @Test("an access token is no refresh token, nor the other way round")
  func kinds() throws {
    let stage = try Stage()
    let tokens = try Self.json(try stage.send("POST", Self.app + "/auth/providers/anon-user/login"))
    let access = try #require(tokens["access_token"] as? String)
    let refresh = try #require(tokens["refresh_token"] as? String)
    #expect(try stage.send("POST", Self.auth + "/session", bearer: access).status == 401)
    #expect(try stage.send("GET", Self.auth + "/profile", bearer: refresh).status == 401)
  }

  @Test("guessing passwords is slowed down per name, and time forgives")
  func throttle() throws {
    let stage = try Stage()
    let login = Self.app + "/auth/providers/local-userpass/login"
    _ = try stage.send(
      "POST", Self.app + "/auth/providers/local-userpass/register", body: #"{"email":"ann","password":"right"}"#)
    for _ in 0..<30 {
      _ = try stage.send("POST", login, body: #"{"username":"ann","password":"wrong"}"#)
    }
    let refused = try stage.send("POST", login, body: #"{"username":"ann","password":"right"}"#)
    #expect(refused.status == 429)
    let wait = try #require(refused.headers["Retry-After"].flatMap { Int($0) })
    #expect((1...60).contains(wait))
    stage.run(.seconds(wait))
    #expect(try stage.send("POST", login, body: #"{"username":"ann","password":"right"}"#).status == 200)
  }

  @Test("many guesses at a time gain nothing, and neither does guessing to link or in the older API")
  func concurrentGuesses() throws {
    let stage = try Stage()
    let providers = Self.app + "/auth/providers"
    let register = providers + "/local-userpass/register"
    let bearer = try Self.json(try stage.send("POST", providers + "/anon-user/login"))["access_token"] as? String
    let wrong = #"{"username":"NAME","password":"wrong"}"#
    let rows: [(name: String, path: String, body: String, refused: Int)] = [
      ("ann", providers + "/local-userpass/login", wrong, 401),
      ("ben", providers + "/local-userpass/login?link=true", wrong, 400),
      ("cid", "/auth", #"{"provider":"password","data":"NAME","user_info":{"password":"wrong"}}"#, 401),
    ]
    for row in rows {
      _ = try stage.send("POST", register, body: #"{"email":"\#(row.name)","password":"right"}"#)
      let url = try NetworkURL("http://server:9080" + row.path)
      let boxes = (0..<30).map { _ in Box<Result<HTTPResponse, TransportError>>() }
      for box in boxes {
        var request = HTTPClientRequest(method: "POST", url: url)
        request.headers["Authorization"] = bearer.map { "Bearer " + $0 }
        request.body = Array(row.body.replacing("NAME", with: row.name).utf8)
        stage.network.host("browser").send(request) { box.value = $0 }
      }
      stage.run()
      let statuses = try boxes.map { try #require($0.value).get().status }
      #expect(statuses.count { $0 == row.refused } == 6, "\(row.path)")
      #expect(statuses.count { $0 == 429 } == 24, "\(row.path)")
    }
  }

  @Test("health and metrics answer without a token, and metrics have no secrets")
  func health() throws {
    let stage = try Stage()
    for path in ["/health", "/health/live", "/health/ready"] {
      #expect(try Self.json(try stage.send("GET", path))["status"] as? String == "ok")
    }
    #expect(try stage.send("GET", "/metrics").text.contains("openrealm_http_requests_total"))
    #expect(try stage.send("OPTIONS", "/anything").status == 204)
  }

  @Test("the public URL of the configuration wins over the host header")
  func publicURL() throws {
    let stage = try Stage { $0.publicURL = try? NetworkURL("https://sync.example.org") }
    let location = try Self.json(try stage.send("GET", "//api/client/v2.0/app/x/location"))
    #expect(location["hostname"] as? String == "https://sync.example.org")
    #expect(location["ws_hostname"] as? String == "wss://sync.example.org")
  }
}
