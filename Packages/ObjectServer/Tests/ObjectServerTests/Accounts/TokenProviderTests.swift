import Cryptography
import Foundation
@testable import ObjectServer
import Permissions
import Synchronization
import Telemetry
import Testing
import Transport
import TransportSimulated

@Suite("login providers")
struct TokenProviderTests {
  /// An outside system on the simulated network: answers what it is told to, and counts.
  final class Outside: HTTPServerHandler {
    let answer: Mutex<(status: Int, body: String)>
    let requests = Mutex<[HTTPRequest]>([])

    init(_ stage: Stage, host: String, _ body: String) {
      answer = Mutex((200, body))
      stage.network.host(host).listen(
        on: ListenAddress(host: host, port: 80), options: HTTPServerOptions(), handler: self
      ) { _ in }
      stage.run()
    }

    func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
      requests.withLock { $0.append(request) }
      let (status, body) = answer.withLock { $0 }
      responder.respond(HTTPResponse(status: status, json: Array(body.utf8)))
    }

    func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
      responder.refuse(HTTPResponse(status: 404, text: ""))
    }
  }

  /// A JSON Web Key of a P-256 key.
  static func webKey(_ key: SigningKey, kid: String) throws -> String {
    let pem = try key.verificationKey.publicKeyPEM()
    let text = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    let point = Array(try #require(Data(base64Encoded: text))).suffix(64)
    let (x, y) = (Base64.url.encode(Array(point.prefix(32))), Base64.url.encode(Array(point.suffix(32))))
    return #"{"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"\#(kid)","x":"\#(x)","y":"\#(y)"}"#
  }

  private static func token(_ stage: Stage, _ key: SigningKey, kid: String, _ claims: String) throws -> String {
    let end = stage.loop.wallTime.secondsSince1970 + 600
    return try JSONWebToken.sign(
      payload: Array(#"{\#(claims),"exp":\#(end)}"#.utf8), with: key, keyIdentifier: kid)
  }

  struct Answer: Equatable {
    var status: Int
    var user: String?
  }

  private static func logIn(_ stage: Stage, _ provider: String, _ token: String) throws -> Answer {
    let response = try stage.send(
      "POST", HTTPTests.app + "/auth/providers/\(provider)/login", body: #"{"token":"\#(token)"}"#)
    stage.run(.seconds(1))
    return Answer(status: response.status, user: try HTTPTests.json(response)["user_id"] as? String)
  }

  @Test("a key set is fetched when a token needs it, cached, and fetched again for a new key, not for every bad token")
  func keySet() throws {
    let stage = try Stage { configuration in
      var provider = TokenProvider(name: "company")
      provider.keySetURL = try? NetworkURL("http://login/keys")
      provider.rules.issuers = ["https://login/"]
      provider.rules.audiences = ["todo"]
      provider.identityClaim = "email"
      provider.administratorClaim = "role"
      provider.administratorValue = "boss"
      configuration.tokenProviders = [provider]
    }
    let (first, second) = (try SigningKey.generateP256(), try SigningKey.generateP256())
    let outside = Outside(stage, host: "login", #"{"keys":[\#(try Self.webKey(first, kid: "1"))]}"#)
    func claims(_ more: String) -> String { #""iss":"https://login/","aud":"todo",\#(more)"# }
    let ann = try Self.token(stage, first, kid: "1", claims(#""email":"ann","sub":"x","role":"boss""#))
    for provider in ["custom-token", "company"] {
      #expect(try Self.logIn(stage, provider, ann) == Answer(status: 200, user: "ann"))
    }
    #expect(outside.requests.withLock { $0.count } == 1, "the set is cached")
    #expect(try stage.directory.user("ann")?.isAdministrator == true)
    // The issuer rotates its key.
    outside.answer.withLock { $0.body = #"{"keys":[\#((try? Self.webKey(second, kid: "2")) ?? "")]}"# }
    stage.run(.seconds(40))
    let ben = try Self.token(stage, second, kid: "2", claims(#""email":"ben""#))
    #expect(try Self.logIn(stage, "custom-token", ben) == Answer(status: 200, user: "ben"))
    #expect(outside.requests.withLock { $0.count } == 2)
    for _ in 0..<10 {
      let bad = try Self.token(stage, first, kid: "9", claims(#""email":"eve""#))
      #expect(try Self.logIn(stage, "custom-token", bad).status == 401)
    }
    #expect(outside.requests.withLock { $0.count } == 2, "unknown keys fetch at most twice a minute")
    // The issuer is away: its keys of before count on.
    outside.answer.withLock { $0 = (500, "") }
    stage.run(.seconds(700))
    let late = try Self.token(stage, second, kid: "2", claims(#""email":"ben""#))
    #expect(try Self.logIn(stage, "custom-token", late) == Answer(status: 200, user: "ben"))
  }

  @Test("of several issuers each vouches for its own users, and neither for the users that are there already")
  func severalIssuers() throws {
    let (one, two) = (try SigningKey.generateP256(), try SigningKey.generateP256())
    let stage = try Stage { configuration in
      configuration.tokenProviders = [("one", one), ("two", two)].map { name, key in
        var provider = TokenProvider(name: name)
        provider.keys = [key.verificationKey]
        provider.rules.issuers = ["https://\(name)/"]
        return provider
      }
    }
    _ = try stage.user("root", isAdministrator: true)
    func token(_ key: SigningKey, _ issuer: String, _ user: String) throws -> String {
      try Self.token(stage, key, kid: "k", #""iss":"https://\#(issuer)/","sub":"\#(user)""#)
    }
    #expect(try Self.logIn(stage, "custom-token", try token(one, "one", "ann")) == Answer(status: 200, user: "ann"))
    #expect(
      try Self.logIn(stage, "custom-token", try token(one, "two", "ann")).status == 401, "signed by another issuer")
    #expect(try Self.logIn(stage, "two", try token(one, "one", "ann")).status == 401, "another provider was chosen")
    let other = try Self.logIn(stage, "two", try token(two, "two", "ann"))
    #expect(other.status == 200)
    #expect(other.user != "ann", "the ann of another issuer is another user")
    let root = try Self.logIn(stage, "one", try token(one, "one", "root"))
    #expect(root.status == 200)
    #expect(root.user != "root", "a token does not take over a user of this server")
    #expect(try Self.logIn(stage, "three", try token(one, "one", "ann")).status == 404)
    // The realms of a removed user stay: the id, and with it the folder, is for the same identity alone.
    try stage.directory.deleteUser("ann")
    let late = try Self.logIn(stage, "two", try token(two, "two", "late"))
    #expect(late == Answer(status: 200, user: "late"))
    try stage.directory.deleteUser("late")
    let heir = try Self.logIn(stage, "one", try token(one, "one", "late"))
    #expect(heir.status == 200)
    #expect(heir.user != "late", "the late of another issuer does not inherit")
    #expect(try Self.logIn(stage, "two", try token(two, "two", "late")) == late)
    #expect(try Self.logIn(stage, "one", try token(one, "one", "ann")) == Answer(status: 200, user: "ann"))
  }

  @Test("a function of the operator decides who a client is; refusals, nonsense and absence let nobody in")
  func function() throws {
    let stage = try Stage { configuration in
      guard let url = try? NetworkURL("http://hook/login") else { return }
      configuration.functionProviders = [FunctionProvider(name: "custom-function", url: url, secret: "shared")]
    }
    func logIn(_ document: String) throws -> HTTPResponse {
      let response = try stage.send("POST", HTTPTests.app + "/auth/providers/custom-function/login", body: document)
      return response
    }
    #expect(try logIn(#"{"pin":1}"#).status == 503, "nobody answers")
    let hook = Outside(stage, host: "hook", #"{"id":"ann","isAdmin":true}"#)
    let answer = try logIn(#"{"pin":{"$numberInt":"1"}}"#)
    #expect(answer.status == 200)
    #expect(try HTTPTests.json(answer)["user_id"] as? String == "ann")
    #expect(try stage.directory.user("ann")?.isAdministrator == true)
    let heard = try #require(hook.requests.withLock { $0.last })
    #expect(String(decoding: heard.body, as: UTF8.self) == #"{"pin":{"$numberInt":"1"}}"#)
    #expect(heard.headers["Authorization"] == "Bearer shared")
    for (reply, status) in [((403, "{}"), 401), ((500, ""), 503), ((200, "[]"), 503), ((200, #"{"id":""}"#), 503)] {
      hook.answer.withLock { $0 = reply }
      #expect(try logIn("{}").status == status, "\(reply)")
    }
    #expect(try logIn("no json").status == 400)
  }

  @Test("identities of named providers and functions are linked to the user who is logged in, once")
  func linking() throws {
    let key = try SigningKey.generateP256()
    let stage = try Stage { configuration in
      var provider = TokenProvider(name: "company")
      provider.keys = [key.verificationKey]
      configuration.tokenProviders = [provider]
      guard let url = try? NetworkURL("http://hook/login") else { return }
      configuration.functionProviders = [FunctionProvider(name: "badge", url: url)]
    }
    let hook = Outside(stage, host: "hook", #"{"id":"7"}"#)
    let guest = try stage.user("guest"), other = try stage.user("other")
    func link(_ provider: String, _ body: String, _ bearer: String?) throws -> HTTPResponse {
      let response = try stage.send(
        "POST", HTTPTests.app + "/auth/providers/\(provider)/login?link=true", bearer: bearer, body: body)
      stage.run(.seconds(1))
      return response
    }
    let token = #"{"token":"\#(try Self.token(stage, key, kid: "k", #""sub":"ann""#))"}"#
    for (provider, body) in [("company", token), ("badge", "{}")] {
      #expect(try link(provider, body, nil).status == 401)
      let linked = try link(provider, body, guest.token)
      #expect(linked.status == 200)
      #expect(try HTTPTests.json(linked)["access_token"] is String)
      #expect(try link(provider, body, guest.token).status == 200, "again changes nothing")
      #expect(try link(provider, body, other.token).status == 409, "it is somebody's")
    }
    #expect(
      try stage.directory.identities(of: guest.id).map(\.provider) == [
        "custom-function:badge", "custom-token:company", "local-userpass",
      ])
    #expect(try link("company", #"{"token":"a.b.c"}"#, guest.token).status == 400, "401 would end the login")
    hook.answer.withLock { $0 = (403, "{}") }
    #expect(try link("badge", "{}", guest.token).status == 400)
    #expect(try link("elsewhere", "{}", guest.token).status == 404)
    #expect(hook.requests.withLock { $0.count } == 4, "nobody without a login has the function asked")
    #expect(try Self.logIn(stage, "company", try Self.token(stage, key, kid: "k", #""sub":"ann""#)).user == "guest")
  }

  @Test("a nickname logs in only where it is switched on, and makes administrators as documented")
  func nickname() throws {
    let off = try Stage()
    let body = #"{"provider":"nickname","data":"ann","user_info":{"is_admin":true}}"#
    #expect(try off.send("POST", "/auth", body: body).status == 404)
    let on = try Stage { $0.accounts.nicknames = .all }
    #expect(try on.send("POST", "/auth", body: body).status == 200)
    let user = try #require(try on.directory.identity(provider: "nickname", name: "ann")).user
    #expect(try on.directory.user(user)?.isAdministrator == true)
    #expect(try on.send("POST", "/auth", body: body).status == 200)
    #expect(try on.directory.users().count == 1)
  }

  @Test("every provider can be switched off")
  func switchedOff() throws {
    let stage = try Stage {
      $0.accounts.allowsPasswords = false
      $0.accounts.allowsAPIKeys = false
      $0.accounts.anonymous = .none
    }
    let bodies = [
      "local-userpass": #"{"username":"ann","password":"x"}"#, "api-key": #"{"key":"x"}"#, "anon-user": "{}",
      "custom-token": #"{"token":"x"}"#, "custom-function": "{}", "nickname": #"{"username":"ann"}"#,
    ]
    for (provider, body) in bodies {
      let response = try stage.send("POST", HTTPTests.app + "/auth/providers/\(provider)/login", body: body)
      #expect(response.status == 404, "\(provider)")
    }
    let register = HTTPTests.app + "/auth/providers/local-userpass/register"
    #expect(try stage.send("POST", register, body: #"{"email":"ann","password":"long enough"}"#).status == 404)
  }
}
