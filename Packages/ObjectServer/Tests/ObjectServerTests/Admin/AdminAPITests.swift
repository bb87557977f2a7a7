import ByteCoding
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import Telemetry
import Testing
import Transport

@Suite("The administration API over TLS", .serialized)
struct AdminAPITests {
  @Test("users are created, found, changed, logged out and removed")
  func users() async throws {
    try await AdminScene.run { scene in
      var ids: [String] = []
      for name in ["ann", "ben", "bernd"] {
        let user = try await scene.call("POST", "users", body: #"{"name":"\#(name)","password":"secret-\#(name)"}"#)
        ids.append(try #require(user["id"]?.string))
      }
      #expect(try await scene.send("POST", "users", body: #"{"name":"ann","password":"secret-1"}"#).status == 409)
      let found = try await scene.call("GET", "users?search=be")["users"]?.elements ?? []
      #expect(Set(found.compactMap { $0["id"]?.string }) == Set(ids.dropFirst()))
      // Page by page.
      var seen: [String] = [], next: String? = ""
      while let after = next {
        let page = try await scene.call("GET", "users?limit=2" + (after.isEmpty ? "" : "&after=\(after)"))
        seen += page["users"]?.elements?.compactMap { $0["id"]?.string } ?? []
        next = page["next"]?.string
      }
      #expect(seen == ids.sorted())
      let ann = ids[0]
      func logIn(_ password: String) async throws -> HTTPResponse {
        try await scene.send(
          "POST", "/api/client/v2.0/app/a/auth/providers/local-userpass/login",
          body: #"{"username":"ann","password":"\#(password)"}"#)
      }
      let access = try #require(try JSONValue(parsing: try await logIn("secret-ann").body)["access_token"]?.string)
      #expect(try await scene.send("GET", "users", token: access).status == 403)
      #expect(
        try await scene.call("PATCH", "users/\(ann)", body: #"{"isAdministrator":true}"#)["isAdministrator"]?.bool
          == true)
      #expect(try await scene.send("GET", "users", token: access).status == 200)
      let logins = try await scene.call("GET", "users/\(ann)/logins")["logins"]?.elements ?? []
      #expect(logins.count == 1)
      let login = try #require(logins.first?["id"]?.string)
      _ = try await scene.call("DELETE", "users/\(ann)/logins/\(login)")
      #expect(try await scene.send("GET", "users", token: access).status == 401)
      _ = try await scene.call("PATCH", "users/\(ann)", body: #"{"isDisabled":true}"#)
      #expect(try await logIn("secret-ann").status == 401)
      _ = try await scene.call("PATCH", "users/\(ann)", body: #"{"isDisabled":false,"isAdministrator":false}"#)
      _ = try await scene.call("PUT", "users/\(ann)/password", body: #"{"password":"another-1"}"#)
      #expect(try await logIn("secret-ann").status == 401)
      #expect(try await logIn("another-1").status == 200)
      #expect(try await scene.call("DELETE", "users/\(ann)/logins")["ended"]?.integer == 1)
      _ = try await scene.call("DELETE", "users/\(ann)")
      #expect(try await scene.send("GET", "users/\(ann)").status == 404)
      #expect(try await scene.send("DELETE", "users/\(ann)").status == 404)
    }
  }

  @Test("keys, grants, offers and explanations")
  func access() async throws {
    try await AdminScene.run { scene in
      let ann = try #require(
        try await scene.call("POST", "users", body: #"{"name":"ann","password":"secret-1"}"#)["id"]?.string)
      let key = try await scene.call("POST", "users/\(ann)/keys", body: #"{"name":"robot"}"#)
      let (id, secret) = (try #require(key["id"]?.string), try #require(key["key"]?.string))
      #expect(try await scene.call("GET", "users/\(ann)/keys")["keys"]?.elements?.first?["key"] == nil)
      func logIn() async throws -> HTTPResponse {
        try await scene.send(
          "POST", "/api/client/v2.0/app/a/auth/providers/api-key/login", body: #"{"key":"\#(secret)"}"#)
      }
      #expect(try await logIn().status == 200)
      _ = try await scene.call("PATCH", "users/\(ann)/keys/\(id)", body: #"{"isDisabled":true}"#)
      #expect(try await logIn().status == 401)
      _ = try await scene.call("DELETE", "users/\(ann)/keys/\(id)")
      #expect(try await scene.send("DELETE", "users/\(ann)/keys/\(id)").status == 404)

      let explain = "permissions/explain?path=/other/todo&user=\(ann)&access=write"
      #expect(try await scene.call("GET", explain)["isAllowed"]?.bool == false)
      _ = try await scene.call(
        "PUT", "permissions", body: #"{"path":"/other/todo","userId":"\#(ann)","access":"write"}"#)
      #expect(try await scene.call("GET", explain)["isAllowed"]?.bool == true)
      #expect(try await scene.call("GET", "permissions?path=/other/todo")["permissions"]?.elements?.count == 1)
      #expect(try await scene.call("GET", "users/\(ann)/permissions")["permissions"]?.elements?.count == 1)
      _ = try await scene.call(
        "PUT", "permissions", body: #"{"path":"/other/todo","userId":"\#(ann)","access":"none"}"#)
      #expect(try await scene.call("GET", "users/\(ann)/permissions")["permissions"]?.elements?.isEmpty == true)

      try scene.server.environment.directory.createOffer(
        OfferRecord(
          token: "very-secret", user: UserId(ann), path: try RealmPath("/\(ann)/x"), level: .read,
          createdAt: WallTime(millisecondsSince1970: 5)))
      let offer = try #require(try await scene.call("GET", "users/\(ann)/offers")["offers"]?.elements?.first)
      #expect(!offer.text.contains("very-secret"))
      let name = try #require(offer["id"]?.string)
      _ = try await scene.call("DELETE", "users/\(ann)/offers/\(name)")
      #expect(try await scene.send("DELETE", "users/\(ann)/offers/\(name)").status == 404)
    }
  }

  @Test("the server, its settings, metrics, logs, sessions, quarantine and realms are shown")
  func views() async throws {
    try await AdminScene.run { scene in
      let directory = scene.server.environment.directory
      for path in ["/ann/a", "/ann/b", "/ann/b/__partial/ben/1"] {
        try directory.recordRealm(try RealmPath(path), createdBy: "ann", at: WallTime(millisecondsSince1970: 5))
      }
      #expect(try await scene.call("GET", "server")["realms"]?.integer == 4)
      let settings = try await scene.call("GET", "configuration")
      #expect(settings["tls"]?.string == "true")
      #expect(!settings.text.contains("PRIVATE KEY"))
      #expect(try await scene.call("GET", "metrics")["metrics"]?.elements?.isEmpty == false)
      let server = try await scene.call("GET", "server")
      #expect(server["users"]?.integer == 0 || server["users"]?.integer == 1)
      #expect(server["memoryBytes"]?.integer ?? 0 > 1 << 20)
      #expect(server["freeDiskBytes"]?.integer ?? 0 > 0)
      let realms = try await scene.call("GET", "realms?limit=1")
      #expect(realms["total"]?.integer == 3)
      #expect(realms["next"]?.string == "/ann/a")
      #expect(try await scene.call("GET", "realms?system=true&after=/ann/a")["realms"]?.elements?.count == 3)
      #expect(try await scene.call("GET", "realm?path=/ann/a")["classes"]?.elements?.isEmpty == true)
      #expect(try await scene.send("GET", "realm?path=/ann/none").status == 404)
      #expect(try await scene.call("POST", "realms", body: #"{"path":"/ann/new"}"#)["path"]?.string == "/ann/new")
      #expect(try await scene.call("GET", "realm?path=/ann/new")["owner"]?.string == "ann")
      for (path, status) in [("/ann/new", 409), ("nothing//", 400), ("/ann/new/__partial/ben/1", 400)] {
        #expect(try await scene.send("POST", "realms", body: #"{"path":"\#(path)"}"#).status == status)
      }
      _ = try await scene.call("DELETE", "realm?path=/ann/new")
      _ = try await scene.call("POST", "realm/rename", body: #"{"path":"/ann/a","newPath":"/ann/c"}"#)
      _ = try await scene.call("DELETE", "realm?path=/ann/c")
      #expect(try await scene.send("DELETE", "realm?path=/ann/c").status == 409)
      #expect(try await scene.call("GET", "sessions")["connections"]?.elements?.isEmpty == true)
      #expect(try await scene.send("DELETE", "sessions/4711").status == 404)
      #expect(try await scene.call("GET", "quarantine")["uploads"]?.elements?.isEmpty == true)
      for name in ["..", "%2e%2e%2fkeys", "x"] {
        #expect(try await scene.send("DELETE", "quarantine/\(name)").status == 404)
      }
      #expect(try await scene.call("PUT", "log-level", body: #"{"level":"debug"}"#)["level"]?.string == "debug")
      #expect(scene.logger.level == .debug)
      let entries = try await scene.call("GET", "logs?level=info&limit=5")["entries"]?.elements ?? []
      #expect(entries.contains { $0["message"]?.string == "listening" })
    }
  }

  @Test(
    "backup, verification and vacuum run beside serving, with progress and an end",
    .enabled(if: TestStorage.isEmbedded, "a node of a cluster has none of the three: they are PostgreSQL's"))
  func tasks() async throws {
    try await AdminScene.run { scene in
      for kind in ["backup", "verify", "vacuum"] {
        let task = try await scene.call("POST", "tasks", body: #"{"kind":"\#(kind)","name":"monday"}"#)
        let id = try #require(task["id"]?.integer)
        var state = "running"
        for _ in 0..<3_000 where state == "running" {
          state = try await scene.call("GET", "tasks/\(id)")["state"]?.string ?? ""
          try await Task.sleep(for: .milliseconds(20))
        }
        let end = try await scene.call("GET", "tasks/\(id)").text
        #expect(state == "done", "\(end)")
      }
      #expect(FileManager.default.fileExists(atPath: scene.folder + "/backups/monday/manifest.json"))
      for name in ["../x", ".", "a/b", ""] {
        #expect(try await scene.send("POST", "tasks", body: #"{"kind":"backup","name":"\#(name)"}"#).status == 400)
      }
      #expect(try await scene.call("GET", "tasks")["tasks"]?.elements?.count == 3)
    }
  }

  @Test("what is done is in the audit log with actor and outcome, and no secret is in it")
  func audit() async throws {
    try await AdminScene.run { scene in
      let ann = try #require(
        try await scene.call("POST", "users", body: #"{"name":"ann","password":"hunter2-hunter2"}"#)["id"]?.string)
      let login = "/api/client/v2.0/app/a/auth/providers/local-userpass/login"
      _ = try await scene.send("POST", login, body: #"{"username":"ann","password":"wrong-password"}"#)
      let answer = try await scene.send("POST", login, body: #"{"username":"ann","password":"hunter2-hunter2"}"#)
      let access = try #require(try JSONValue(parsing: answer.body)["access_token"]?.string)
      #expect(try await scene.send("DELETE", "users/\(ann)", token: access).status == 403)
      #expect(try await scene.send("GET", "users", token: access).status == 403)
      let entries = try await scene.call("GET", "audit")["entries"]?.elements ?? []
      let summary = entries.map { entry in
        ["event", "actor", "subject", "outcome"].map { entry[$0]?.string ?? "?" }.joined(separator: " ")
      }
      #expect(summary.first == "server.start   ok")
      #expect(
        summary.dropFirst() == [
          "admin.createUser __admin \(ann) ok", "login   InvalidPassword", "login \(ann) \(ann) ok",
          "admin.deleteUser  \(ann) PermissionDenied", "admin.listUsers   PermissionDenied",
        ])
      #expect(try await scene.call("GET", "audit?refused=true")["entries"]?.elements?.count == 3)
      #expect(try await scene.call("GET", "audit/verification")["problems"]?.elements?.isEmpty == true)
      let file = try #require(FileManager.default.contents(atPath: AuditFiles.path(1, in: scene.folder + "/audit")))
      let text = String(decoding: file, as: UTF8.self)
      for secret in ["hunter2", "wrong-password", access, scene.token] { #expect(!text.contains(secret)) }
    }
  }
}
