import AuthClient
import Cryptography
import Foundation
import TestKit
import Testing
import Transport
import TransportReal

/// The files that a server leaves behind after everything that takes or makes a secret: its data directory, backups, logs at the finest
/// level, and what administrators may read.
@Suite("what is left behind", .serialized)
struct LeftBehindTests {
  private static let app = "/api/client/v2.0/app/todo/auth/providers"
  private static let auth = "/api/client/v2.0/auth"
  private static let own = "/api/openrealm/v1"

  @Test("no file and no answer to an administrator has a password, a token or a key")
  func everything() async throws {
    let scene = try Scene()
    defer { scene.remove() }
    try await scene.accounts()
    try await scene.otherSystems()
    try await scene.mail()
    try await scene.sync()
    try await scene.administration()
    try scene.commands()
    #expect(scene.server.stop() == 0)
    scene.sink.stop()
    try scene.backUp()
    #expect(scene.search.count > 40)
    #expect(scene.search.findings(in: scene.folder) == [])
    // The search sees what is there: names, and a secret where it was put.
    var known = SecretSearch()
    known.add("a name", "ann@example.org")
    let places = known.findings(in: scene.folder)
    for part in ["data/directory.db", "backup/directory.db", "dumps/"] {
      #expect(places.contains { $0.hasPrefix(part) }, "\(part) in \(places)")
    }
    let (secret, planted) = ("pass-word-1", scene.folder + "/planted")
    var one = SecretSearch()
    one.add("the first password", secret)
    for padding in ["", "x", "xy"] {
      let text = Data((padding + secret + " and more").utf8).base64EncodedString()
      try Data("... \(text) ...".utf8).write(to: URL(fileURLWithPath: planted))
      #expect(one.findings(in: scene.folder) == ["planted: the first password"], "\(padding)")
    }
  }

  /// A server with mail, a provider of tokens and a log of everything, and the secrets that it saw.
  private final class Scene {
    let folder = ServerProcess.temporaryFolder()
    let sink: MailSink
    let server: ServerProcess
    var search = SecretSearch()
    private let foreign: SigningKey
    private let network: RealNetwork
    private var data: String { folder + "/data" }

    init() throws {
      sink = try MailSink()
      foreign = try .generateP256()
      try FileManager.default.createDirectory(atPath: folder + "/keys", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: folder + "/dumps", withIntermediateDirectories: true)
      try Data("mail-pass-word\n".utf8).write(to: URL(fileURLWithPath: folder + "/keys/mail"))
      let key = try foreign.verificationKey.publicKeyPEM()
      try Data(key.utf8).write(to: URL(fileURLWithPath: folder + "/foreign.pem"))
      server = try ServerProcess(
        data: folder + "/data",
        arguments: [
          "--port", "0", "--jwt-key", folder + "/foreign.pem", "--mail-server", "smtp://127.0.0.1:\(sink.port)",
          "--mail-from", "realm@example.org", "--mail-user", "realm", "--mail-password-file", folder + "/keys/mail",
          "--mail-plain", "--no-confirmation", "--public-url", "http://sync.example.org",
        ], log: (level: "all", file: folder + "/server.log"))
      network = RealNetwork(loop: try EventLoop(name: "test"))
      search.add("the password of mail", "mail-pass-word")
      for name in ["token.key", "directory.key", "admin.json"] {
        let text = String(
          decoding: FileManager.default.contents(atPath: folder + "/data/keys/" + name) ?? Data(), as: UTF8.self)
        for part in text.split(whereSeparator: { "\" \n{}:".contains($0) }) where part.count > 20 {
          search.add("keys/" + name, String(part))
        }
      }
    }

    func remove() {
      network.loop.shutDown()
      try? FileManager.default.removeItem(atPath: folder)
    }

    private var operatorToken: String {
      get throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: data + "/keys/admin.json"))
        return try #require((try JSONSerialization.jsonObject(with: data) as? [String: String])?["ADMIN_TOKEN"])
      }
    }

    @discardableResult
    private func send(
      _ method: String, _ path: String, bearer: String? = nil, _ body: String = "", status: Int,
      headers: HTTPHeaders = [:]
    ) async throws -> [String: Any] {
      var headers = headers
      headers["Content-Type"] = "application/json"
      if let bearer { headers["Authorization"] = "Bearer " + bearer }
      let url = try NetworkURL("http://127.0.0.1:\(server.port)" + path)
      let response = try await network.response(
        to: HTTPClientRequest(method: method, url: url, headers: headers, body: Array(body.utf8)))
      #expect(response.status == status, "\(method) \(path): \(response.text)")
      if let cookie = response.headers["Set-Cookie"]?.prefix(while: { $0 != ";" }), cookie.count > 40 {
        search.add("a cookie", String(cookie.drop { $0 != "=" }.dropFirst()))
      }
      return (try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]) ?? [:]
    }

    private func logIn(_ provider: String, _ body: String, status: Int = 200) async throws -> (
      access: String, refresh: String
    ) {
      let answer = try await send("POST", LeftBehindTests.app + "/\(provider)/login", body, status: status)
      guard status == 200 else { return ("", "") }
      let tokens = (try #require(answer["access_token"] as? String), try #require(answer["refresh_token"] as? String))
      search.add("an access token of \(provider)", tokens.0)
      search.add("a refresh token of \(provider)", tokens.1)
      return tokens
    }

    private func ann(_ password: String, status: Int = 200) async throws -> (access: String, refresh: String) {
      search.add("a password", password)
      return try await logIn(
        "local-userpass", #"{"username":"ann@example.org","password":"\#(password)"}"#, status: status)
    }

    /// Registering, logging in, refreshing, API keys, other passwords, both families of routes.
    func accounts() async throws {
      let (app, auth, own) = (LeftBehindTests.app, LeftBehindTests.auth, LeftBehindTests.own)
      try await send(
        "POST", app + "/local-userpass/register", #"{"email":"ann@example.org","password":"pass-word-1"}"#, status: 201)
      let (access, refresh) = try await ann("pass-word-1")
      _ = try await ann("wrong-pass-word", status: 401)
      try await send("POST", auth + "/session", bearer: refresh, status: 201)
      let rotated = try await send("POST", auth + "/session", bearer: refresh, #"{"rotate":true}"#, status: 201)
      let next = try #require(rotated["refresh_token"] as? String)
      search.add("the next refresh token", next)
      search.add("the next access token", try #require(rotated["access_token"] as? String))
      let key = try await send("POST", auth + "/api_keys", bearer: next, #"{"name":"robot"}"#, status: 201)
      let secret = try #require(key["key"] as? String)
      search.add("an API key", secret)
      _ = try await logIn("api-key", #"{"key":"\#(secret)"}"#)
      _ = try await logIn("api-key", #"{"key":"no-such-key-of-anybody"}"#, status: 401)
      search.add("a wrong API key", "no-such-key-of-anybody")
      try await send("GET", auth + "/profile", bearer: access + "x", status: 401)
      try await send("GET", auth + "/profile?baas_at=" + access, bearer: access, status: 200)
      try await send("PUT", own + "/password", bearer: access, #"{"password":"pass-word-2"}"#, status: 204)
      let again = try await ann("pass-word-2")
      let bought = try await send(
        "POST", "/auth",
        #"{"provider":"password","data":"ann@example.org","app_id":"x","user_info":{"password":"pass-word-2"}}"#,
        status: 200)
      let legacy = try #require((bought["refresh_token"] as? [String: Any])?["token"] as? String)
      search.add("a token of the former API", legacy)
      let realm = try await send(
        "POST", "/auth", #"{"provider":"realm","data":"\#(legacy)","path":"/~/list","app_id":"x"}"#, status: 200)
      search.add("a token for a realm", try #require((realm["access_token"] as? [String: Any])?["token"] as? String))
      try await send("POST", "/auth/revoke", #"{"token":"\#(legacy)"}"#, status: 200)
      try await send("DELETE", auth + "/session", bearer: again.refresh, status: 204)
    }

    /// Tokens of other systems, good and bad.
    func otherSystems() async throws {
      let end = Int(Date().timeIntervalSince1970) + 600
      let token = try JSONWebToken.sign(payload: Array(#"{"sub":"eve","exp":\#(end)}"#.utf8), with: foreign)
      search.add("a token of another system", token)
      _ = try await logIn("custom-token", #"{"token":"\#(token)"}"#)
      let other = try JSONWebToken.sign(payload: Array(#"{"sub":"eve","exp":\#(end)}"#.utf8), with: .generateP256())
      search.add("a forged token", other)
      _ = try await logIn("custom-token", #"{"token":"\#(other)"}"#, status: 401)
    }

    /// A password that is reset by a link in a message.
    func mail() async throws {
      let app = LeftBehindTests.app + "/local-userpass/"
      try await send("POST", app + "reset/send", #"{"email":"ann@example.org"}"#, status: 200)
      try await eventually("a message") { !sink.messages.isEmpty }
      #expect(sink.logins > 0)
      let text = try #require(sink.messages.first)
      let secret = String(try #require(text.firstMatch(of: /token=([0-9a-f]+)/)?.output.1))
      let ident = String(try #require(text.firstMatch(of: /tokenId=([^\s&]+)/)?.output.1))
      search.add("the secret of a link", secret)
      try await send(
        "POST", app + "reset", #"{"token":"\#(secret)","tokenId":"\#(ident)","password":"pass-word-3"}"#, status: 200)
      search.add("the password of a reset", "pass-word-3")
    }

    /// A sync connection with its token in the address, and GraphQL.
    func sync() async throws {
      let (access, _) = try await ann("pass-word-3")
      for token in [access, access + "x"] {
        let client = RawClient()
        try client.connect(network, port: server.port, token: token)
        guard token == access else {
          try await client.wait("a refusal") { $0.isClosed }
          continue
        }
        _ = try await client.open("/~/list")
        client.upload(version: 2, bytes: KillTests.changeset(2))
        try await client.wait("an acknowledgement") { $0.acknowledged == 2 }
        client.abort()
      }
      let query = #"{"query":"{ __typename }"}"#
      try await send("POST", "/graphql/~/list", bearer: access, query, status: 200)
      for _ in 0..<2 {
        let offer = try await send(
          "POST", LeftBehindTests.own + "/offers", bearer: access, #"{"path":"/~/list","access":"read"}"#, status: 201)
        let token = try #require(offer["token"] as? String)
        search.add("an offer's token", token)
        _ = try await send(
          "POST", LeftBehindTests.own + "/offers/\(token)/accept", bearer: access, status: 200)
      }
    }

    /// The administration API and the console of browsers; what they tell is kept as dumps.
    func administration() async throws {
      let (admin, token) = (LeftBehindTests.own + "/admin/", try operatorToken)
      let made = try await send(
        "POST", admin + "users", bearer: token,
        #"{"name":"boss@example.org","password":"pass-word-4","isAdministrator":true}"#, status: 201)
      let boss = try #require(made["id"] as? String)
      let key = try await send("POST", admin + "users/\(boss)/keys", bearer: token, #"{"name":"k"}"#, status: 201)
      search.add("an API key of the administration", try #require(key["key"] as? String))
      try await send(
        "PUT", admin + "users/\(boss)/password", bearer: token, #"{"password":"pass-word-5"}"#, status: 204)
      for password in ["pass-word-4", "pass-word-5"] { search.add("a password of an administrator", password) }
      try await send(
        "POST", "/studio/session", #"{"username":"boss@example.org","password":"pass-word-5"}"#, status: 200)
      for name in [
        "logs?limit=1000", "audit?limit=1000", "users", "configuration", "sessions", "server", "metrics", "realms",
      ] {
        let url = try NetworkURL("http://127.0.0.1:\(server.port)\(admin)\(name)")
        let response = try await network.response(
          to: HTTPClientRequest(url: url, headers: ["Authorization": "Bearer " + token]))
        #expect(response.status == 200, "\(name)")
        try dump(response.text, String(name.prefix { $0 != "?" }))
      }
    }

    private func dump(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/dumps/" + name))
    }

    /// The commands that take or make secrets, asked of the running server.
    func commands() throws {
      let created = try ServerProcess.run(["users", "create", "carl", "--data", data], input: "pass-word-6\n")
      #expect(created.status == 0, "\(created.errors)")
      try dump(created.output + created.errors, "users-create")
      search.add("a password of the command line", "pass-word-6")
      let rotated = try ServerProcess.run(["keys", "rotate", "--data", data])
      #expect(rotated.status == 0, "\(rotated.errors)")
      try dump(rotated.output + rotated.errors, "keys-rotate")
      let list = try ServerProcess.run(["audit", "list", "--json", "--data", data])
      try dump(list.output + list.errors, "audit-list")
      search.add("the next operator's token", try operatorToken)
    }

    /// A backup of the stopped server.
    func backUp() throws {
      let result = try ServerProcess.run(["backup", folder + "/backup", "--data", data])
      #expect(result.status == 0, "\(result.errors)")
      try dump(result.output + result.errors, "backup-said")
    }
  }
}
