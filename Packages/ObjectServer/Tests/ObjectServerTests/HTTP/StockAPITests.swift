import Foundation
@testable import ObjectServer
import Telemetry
import Testing
import Transport

@Suite("the rest of the HTTP API of stock clients")
struct StockAPITests {
  static let app = HTTPTests.app
  static let auth = HTTPTests.auth

  private static func anonymous(_ stage: Stage) throws -> (access: String, refresh: String, id: String) {
    let tokens = try HTTPTests.json(try stage.send("POST", app + "/auth/providers/anon-user/login", body: "{}"))
    return (
      try #require(tokens["access_token"] as? String), try #require(tokens["refresh_token"] as? String),
      try #require(tokens["user_id"] as? String)
    )
  }

  @Test("API keys are made, listed, disabled, used and deleted with the refresh token; the secret is told once")
  func keys() throws {
    let stage = try Stage()
    let (access, refresh, id) = try Self.anonymous(stage)
    let keys = Self.auth + "/api_keys"
    #expect(try stage.send("POST", keys, bearer: access, body: #"{"name":"k"}"#).status == 401)
    let made = try stage.send("POST", keys, bearer: refresh, body: #"{"name":"k1"}"#)
    #expect(made.status == 201)
    let key = try HTTPTests.json(made)
    let (ident, secret) = (try #require(key["_id"] as? String), try #require(key["key"] as? String))
    #expect(ident.count == 24)
    #expect(key["name"] as? String == "k1")
    #expect(key["disabled"] as? Bool == false)
    #expect(try stage.send("POST", keys, bearer: refresh, body: #"{"name":"k1"}"#).status == 409)
    let list = try stage.send("GET", keys, bearer: refresh)
    let all = try #require(try JSONSerialization.jsonObject(with: Data(list.body)) as? [[String: Any]])
    #expect(all.count == 1)
    #expect(all[0]["key"] == nil)
    #expect(all[0]["_id"] as? String == ident)
    #expect(!list.text.contains(secret))

    func login(_ secret: String) throws -> (Int, String?) {
      let response = try stage.send(
        "POST", Self.app + "/auth/providers/api-key/login", body: #"{"provider":"api-key","key":"\#(secret)"}"#)
      return (response.status, try HTTPTests.json(response)["user_id"] as? String)
    }
    #expect(try login(secret) == (200, id))
    #expect(try login("wrong").0 == 401)
    #expect(try stage.send("PUT", keys + "/\(ident)/disable", bearer: refresh).status == 204)
    #expect(try login(secret).0 == 401)
    #expect(try HTTPTests.json(try stage.send("GET", keys + "/\(ident)", bearer: refresh))["disabled"] as? Bool == true)
    #expect(try stage.send("PUT", keys + "/\(ident)/enable", bearer: refresh).status == 204)
    #expect(try login(secret).0 == 200)
    let stranger = try Self.anonymous(stage)
    #expect(try stage.send("DELETE", keys + "/\(ident)", bearer: stranger.refresh).status == 404)
    #expect(try stage.send("DELETE", keys + "/\(ident)", bearer: refresh).status == 204)
    #expect(try login(secret).0 == 401)
    #expect(try stage.send("GET", keys + "/\(ident)", bearer: refresh).status == 404)
  }

  @Test("an anonymous user links a registered account, keeps the id, and logs in with it afterwards")
  func linking() throws {
    let stage = try Stage()
    let (access, _, id) = try Self.anonymous(stage)
    let password = Self.app + "/auth/providers/local-userpass"
    let credentials = #"{"provider":"local-userpass","username":"a@b.c","password":"secret1"}"#
    #expect(
      try stage.send("POST", password + "/register", body: #"{"email":"a@b.c","password":"secret1"}"#).status == 201)
    let wrong = credentials.replacingOccurrences(of: "secret1", with: "wrong")
    #expect(try stage.send("POST", password + "/login?link=true", bearer: access, body: wrong).status == 400)
    #expect(try stage.send("POST", password + "/login?link=true", body: credentials).status == 401)
    let linked = try stage.send("POST", password + "/login?link=true", bearer: access, body: credentials)
    #expect(linked.status == 200)
    let renewed = try #require(try HTTPTests.json(linked)["access_token"] as? String)
    let profile = try HTTPTests.json(try stage.send("GET", Self.auth + "/profile", bearer: renewed))
    let kinds = (profile["identities"] as? [[String: String]])?.compactMap { $0["provider_type"] }
    #expect(kinds == ["anon-user", "local-userpass"])
    #expect((profile["data"] as? [String: String])?["email"] == "a@b.c")
    let login = try HTTPTests.json(try stage.send("POST", password + "/login", body: credentials))
    #expect(login["user_id"] as? String == id)
    let other = try Self.anonymous(stage)
    #expect(
      try stage.send("POST", password + "/login?link=true", bearer: other.access, body: credentials).status == 409)
    #expect(try stage.send("POST", password + "/login?link=true", bearer: access, body: credentials).status == 200)
  }

  @Test("unsupported requests are refused with the name and status that stock clients know")
  func refusals() throws {
    let stage = try Stage()
    let password = Self.app + "/auth/providers/local-userpass"
    _ = try stage.send("POST", password + "/register", body: #"{"email":"a@b.c","password":"x"}"#)
    let rows: [(String, String, String, Int, String)] = [
      ("POST", password + "/confirm", #"{"token":"t","tokenId":"i"}"#, 400, "UserpassTokenInvalid"),
      ("POST", password + "/confirm", "{}", 400, "MissingParameter"),
      ("POST", password + "/confirm/send", #"{"email":"a@b.c"}"#, 400, "UserAlreadyConfirmed"),
      ("POST", password + "/confirm/call", #"{"email":"a@b.c"}"#, 400, "UserAlreadyConfirmed"),
      ("POST", password + "/confirm/send", #"{"email":"nobody"}"#, 400, "UserAlreadyConfirmed"),
      ("POST", password + "/reset/send", #"{"email":"nobody"}"#, 400, "BadRequest"),
      ("POST", password + "/reset/send", #"{"email":"a@b.c"}"#, 400, "BadRequest"),
      ("POST", password + "/reset", #"{"token":"t","tokenId":"i","password":"p"}"#, 400, "UserpassTokenInvalid"),
      ("POST", password + "/reset/call", #"{"email":"a@b.c","password":"p","arguments":[]}"#, 400, "BadRequest"),
      ("POST", Self.app + "/functions/call", #"{"name":"f","arguments":[]}"#, 404, "FunctionNotFound"),
      ("POST", Self.app + "/functions/call", #"{"name":"find","service":"db","arguments":[]}"#, 404, "ServiceNotFound"),
      ("GET", Self.app + "/functions/call?baas_request=e30=", "", 404, "FunctionNotFound"),
      ("PUT", Self.app + "/push/providers/gcm/registration", "{}", 404, "ServiceNotFound"),
      ("POST", Self.app + "/auth/providers/api-key/login", #"{"key":"x"}"#, 401, "InvalidSession"),
      ("POST", Self.app + "/auth/providers/api-key/login", "{}", 400, "MissingParameter"),
      ("POST", Self.app + "/auth/providers/custom-function/login", "{}", 404, "AuthProviderNotFound"),
      ("POST", Self.auth + "/api_keys", #"{"name":"x"}"#, 401, "MissingAuthReq"),
    ]
    for (method, path, body, status, code) in rows {
      let response = try stage.send(method, path, body: body)
      #expect(response.status == status, "\(method) \(path)")
      #expect(try HTTPTests.json(response)["error_code"] as? String == code, "\(method) \(path)")
      #expect(response.headers["Content-Type"] == "application/json")
    }
  }

  @Test("servers before the client API: log in, buy a token for a realm, sync with it, revoke")
  func legacy() throws {
    let stage = try Stage()
    func post(_ path: String, _ body: String) throws -> (Int, [String: Any]) {
      let response = try stage.send("POST", path, body: body)
      return (response.status, try HTTPTests.json(response))
    }
    let register =
      #"{"provider":"password","data":"ann","app_id":"io.x","user_info":{"password":"secret","register":true}}"#
    let (status, answer) = try post("/auth", register)
    let refresh = try #require(answer["refresh_token"] as? [String: Any])
    let facts = try #require(refresh["token_data"] as? [String: Any])
    let id = try #require(facts["identity"] as? String)
    #expect(status == 200)
    #expect(facts["access"] as? [String] == ["refresh"])
    #expect(facts["is_admin"] as? Bool == false)
    #expect((facts["expires"] as? Int64 ?? 0) > stage.loop.wallTime.secondsSince1970)
    let again = try post("/auth", register)
    #expect(again.0 == 409)
    #expect(again.1["code"] as? Int == 613)
    let wrong = try post("/auth", #"{"provider":"password","data":"ann","user_info":{"password":"no"}}"#)
    #expect(wrong.0 == 401)
    #expect(wrong.1["code"] as? Int == 611)
    #expect(try post("/auth", #"{"provider":"password"}"#).1["code"] as? Int == 602)
    #expect(try post("/auth", #"{"provider":"unknown","data":"x"}"#).1["code"] as? Int == 601)
    #expect(try post("/auth", #"{"provider":"nickname","data":"x"}"#).1["code"] as? Int == 611, "it is switched off")
    let token = try #require(refresh["token"] as? String)
    let bought = try post("/auth", #"{"provider":"realm","data":"\#(token)","path":"/~/todo","app_id":"io.x"}"#)
    let access = try #require(bought.1["access_token"] as? [String: Any])
    let granted = try #require(access["token_data"] as? [String: Any])
    #expect(granted["path"] as? String == "/\(id)/todo")
    #expect(granted["access"] as? [String] == ["download", "upload", "manage"])
    let (client, _) = try stage.session(try #require(access["token"] as? String), "/~/todo")
    client.bind(2, "/~/other")
    stage.run()
    #expect(client.take().compactMap(\.failureCode) == [206], "the token is for one realm")
    #expect(try post("/auth", #"{"provider":"realm","data":"\#(token)","path":"/ben/todo"}"#).1["code"] as? Int == 614)
    let revoke = try stage.send("POST", "/auth/revoke", bearer: token, body: #"{"token":"\#(token)"}"#)
    #expect(revoke.status == 200)
    #expect(try post("/auth", #"{"provider":"realm","data":"\#(token)","path":"/~/todo"}"#).1["code"] as? Int == 615)
  }

  @Test("metrics are answered to the chosen clients only, readiness ends when the server stops")
  func operatorsRoutes() throws {
    for (access, status) in [(ClientScope.all, 200), (.local, 404), (.none, 404)] {
      let stage = try Stage { $0.metricsAccess = access }
      #expect(try stage.send("GET", "/metrics").status == status)
    }
  }

  @Test("one address makes users, and opens connections, at the rate that was chosen and no faster")
  func rates() throws {
    let stage = try Stage {
      $0.accountsPerSecond = 1
      $0.connectionsPerSecond = 1
    }
    let url = try NetworkURL("http://server:9080\(Self.app)/auth/providers/anon-user/login")
    let boxes = (0..<12).map { _ in Box<Result<HTTPResponse, TransportError>>() }
    for box in boxes {
      stage.network.host("browser").send(HTTPClientRequest(method: "POST", url: url)) { box.value = $0 }
    }
    stage.run()
    let statuses = try boxes.map { try #require($0.value).get().status }
    #expect(statuses.count { $0 == 200 } == 5)
    #expect(statuses.count { $0 == 429 } == 7)
    stage.run(.seconds(20))
    #expect(try stage.send("POST", Self.app + "/auth/providers/anon-user/login").status == 200)
    let ann = try stage.user("ann")
    let clients = try (0..<8).map { _ in try stage.connect(ann.token) }
    #expect(clients.filter { $0.token != nil }.count < 8)
    stage.run(.seconds(20))
    #expect(try stage.connect(ann.token).token != nil)
  }

  @Test("a login that a tool ended is noticed, and its connections go")
  func review() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let (client, _) = try stage.session(ann.token, "/~/todo")
    let (other, _) = try stage.session(ben.token, "/~/todo", from: "pc")
    _ = try stage.directory.endLogins(of: ann.id, except: nil)
    stage.run(.seconds(1))
    #expect(client.closeCode == 4001)
    #expect(other.closure == nil)
  }
}
