import ByteCoding
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import Testing
import Transport

@Suite("Schema, history, permissions, transfer and roles of users in the administration API", .serialized)
struct AdminStudioTests {
  private static let path = AdminObjectsTests.path

  static func logIn(_ name: String, _ scene: AdminScene) async throws -> (id: String, token: String) {
    let user = try await scene.call("POST", "users", body: #"{"name":"\#(name)","password":"secret-\#(name)"}"#)
    let login = try await scene.send(
      "POST", "/api/client/v2.0/app/a/auth/providers/local-userpass/login",
      body: #"{"username":"\#(name)","password":"secret-\#(name)"}"#)
    return (
      try #require(user["id"]?.string), try #require(try JSONValue(parsing: login.body)["access_token"]?.string)
    )
  }

  @Test("classes and properties are added, and what is there is never changed")
  func schema() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      func add(_ classes: String) async throws -> Int {
        try await scene.send("POST", "realm/schema", body: #"{"path":"\#(Self.path)","classes":[\#(classes)]}"#).status
      }
      #expect(
        try await add(
          #"{"name":"Cat","primaryKey":"id","properties":[{"name":"id","type":"string"},{"name":"foe","type":"object","target":"Dog"}]}"#
        )
          == 200)
      #expect(
        try await add(#"{"name":"Dog","properties":[{"name":"weight","type":"double","isOptional":true}]}"#) == 200)
      let classes = try await scene.call("GET", "realm?path=\(Self.path)")["classes"]?.elements ?? []
      #expect(classes.compactMap { $0["name"]?.string } == ["Dog", "Note", "Cat"])
      #expect(classes.first?["properties"]?.elements?.last?["name"]?.string == "weight")
      #expect(classes.first?["objects"]?.integer == 3)
      for wrong in [
        #"{"name":"Dog","properties":[{"name":"name","type":"int"}]}"#, #"{"name":"__Role","properties":[]}"#,
        #"{"name":"Ox","primaryKey":"id","properties":[]}"#,
        #"{"name":"Ox","properties":[{"name":"a","type":"object"}]}"#,
        #"{"name":"Ox","properties":[{"name":"a","type":"horn"}]}"#,
        #"{"name":"Ox","properties":[{"name":"a","type":"int"},{"name":"a","type":"string"}]}"#,
        #"{"name":"Ox","properties":[{"name":"a","type":"object","target":"Nobody"}]}"#,
        #"{"name":"Ox","primaryKey":"a","properties":[{"name":"a","type":"double"}]}"#,
        #"{"name":"Ox","properties":[]},{"name":"Ox","properties":[]}"#,
        #"{"name":"Dog","properties":[{"name":"b","type":"object","target":"Nobody"}]}"#,
      ] {
        #expect(try await add(wrong) == 400, "\(wrong)")
      }
    }
  }

  @Test("the history lists transactions newest first, and the realm can be seen as it was after each")
  func history() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      for name in ["Ada", "Bo", "Cy"] {
        let edit = #"{"action":"update","class":"Dog","key":"1","values":{"name":"\#(name)"}}"#
        #expect(try await AdminObjectsTests.write(scene, edit).status == 200)
      }
      #expect(
        try await AdminObjectsTests.write(scene, #"{"action":"delete","class":"Dog","key":"1"}"#).status == 200)
      let found = try await scene.call("GET", "realm/history?path=\(Self.path)&limit=3")
      let versions = found["transactions"]?.elements?.compactMap { $0["version"]?.integer } ?? []
      let newest = try #require(found["newest"]?.integer)
      #expect(versions == [newest, newest - 1, newest - 2])
      let next = try #require(found["next"]?.integer)
      let older = try await scene.call("GET", "realm/history?path=\(Self.path)&before=\(next)")
      #expect(older["transactions"]?.elements?.compactMap { $0["version"]?.integer }.first == newest - 3)
      #expect(older["next"] == nil)
      let one = try await scene.call("GET", "realm/transaction?path=\(Self.path)&version=\(newest - 1)")
      #expect(one["instructions"]?.elements?.first?.string?.contains("Cy") == true)
      #expect(one["author"]?.integer == 1)
      // The realm as of then.
      for (version, name) in [(newest - 1, "Cy"), (newest - 2, "Bo"), (newest - 3, "Ada")] {
        let past = try await AdminObjectsTests.rows(scene, "&at=\(version)&query=id%20%3D%3D%201")
        #expect(past.first?["values"]?["name"]?.string == name, "\(version)")
      }
      #expect(try await AdminObjectsTests.rows(scene, "&at=\(newest)").count == 2)
      let then = try await scene.call("GET", "realm?path=\(Self.path)&at=\(newest - 1)")
      #expect(then["classes"]?.elements?.first?["objects"]?.integer == 3)
      #expect(
        try await scene.send("GET", "realm/objects?path=\(Self.path)&class=Dog&at=\(newest + 1)").status == 400)
      #expect(try await scene.send("GET", "realm/transaction?path=\(Self.path)&version=\(newest + 1)").status == 404)
    }
  }

  @Test("permissions inside a realm are opened, listed and set, for the realm, a class and a role")
  func roles() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      #expect(try await scene.call("GET", "realm/roles?path=\(Self.path)")["hasPermissions"]?.bool == false)
      let early = #"{"path":"\#(Self.path)","entries":[]}"#
      #expect(try await scene.send("PUT", "realm/roles", body: early).status == 409)
      _ = try await scene.call("POST", "realm/roles", body: #"{"path":"\#(Self.path)"}"#)
      _ = try await scene.call(
        "PUT", "realm/roles/members", body: #"{"path":"\#(Self.path)","role":"vets","add":["ann","ben"],"remove":[]}"#)
      _ = try await scene.call(
        "PUT", "realm/roles/members", body: #"{"path":"\#(Self.path)","role":"vets","add":[],"remove":["ben"]}"#)
      _ = try await scene.call(
        "PUT", "realm/roles",
        body:
          #"{"path":"\#(Self.path)","class":"Dog","entries":[{"role":"vets","privileges":["read","query","update"]}]}"#)
      let found = try await scene.call("GET", "realm/roles?path=\(Self.path)")
      #expect(found["hasPermissions"]?.bool == true)
      let vets = found["roles"]?.elements?.first { $0["name"]?.string == "vets" }
      #expect(vets?["members"] == .array(["ann"]))
      let dog = found["classes"]?.elements?.first { $0["name"]?.string == "Dog" }
      #expect(
        dog?["entries"] == .array([.object([("role", "vets"), ("privileges", .array(["read", "update", "query"]))])]))
      #expect(found["realm"]?.elements?.first?["role"]?.string == "everyone")
      let object = #"{"path":"\#(Self.path)","class":"Dog","key":"1","entries":[]}"#
      #expect(try await scene.send("PUT", "realm/roles", body: object).status == 400)
      let wrong = #"{"path":"\#(Self.path)","class":"Ox","entries":[]}"#
      #expect(try await scene.send("PUT", "realm/roles", body: wrong).status == 404)
      // A property for the lists of objects.
      let property = #"{"name":"acl","type":"object","collection":"list","target":"__Permission"}"#
      _ = try await scene.call(
        "POST", "realm/schema",
        body: #"{"path":"\#(Self.path)","classes":[{"name":"Dog","properties":[\#(property)]}]}"#)
      let entries = #"[{"role":"vets","privileges":["read"]}]"#
      _ = try await scene.call(
        "PUT", "realm/roles", body: #"{"path":"\#(Self.path)","class":"Dog","key":"1","entries":\#(entries)}"#)
      let one = try await scene.call("GET", "realm/roles?path=\(Self.path)&class=Dog&key=1")
      #expect(one["object"] == .array([.object([("role", "vets"), ("privileges", .array(["read"]))])]))
      let none = #"{"path":"\#(Self.path)","class":"Dog","key":"99","entries":[]}"#
      #expect(try await scene.send("PUT", "realm/roles", body: none).status == 404)
    }
  }

  @Test("a file is sent in parts and imported, and an export brings the same objects")
  func transfer() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene, dogs: 1)
      func ended(_ task: JSONValue) async throws -> JSONValue {
        let id = try #require(task["id"]?.integer)
        var found = task
        for _ in 0..<600 where found["state"]?.string == "running" {
          try await Task.sleep(for: .milliseconds(50))
          found = try await scene.call("GET", "tasks/\(id)")
        }
        return found
      }
      let number = try #require(
        try await scene.call("POST", "files", body: #"{"name":"../dogs.csv"}"#)["file"]?.integer)
      var at = 0
      for part in ["id,name\n7,Rex\n", "8,<b>Bo</b>\n"] {
        let data = Data(part.utf8).base64EncodedString()
        let body = #"{"at":\#(at),"data":"\#(data)"}"#
        at += part.utf8.count
        #expect(try await scene.call("PUT", "files/\(number)", body: body)["bytes"]?.integer == Int64(at))
        #expect(try await scene.send("PUT", "files/\(number)", body: body).status == 409)
      }
      let imported = try await ended(
        try await scene.call(
          "POST", "realm/import", body: #"{"path":"\#(Self.path)","file":\#(number),"class":"Dog"}"#))
      #expect(imported["state"]?.string == "done", "\(imported.text)")
      #expect(try await AdminObjectsTests.rows(scene, "").count == 3)
      for (format, name) in [("json", ""), ("csv", #","class":"Dog""#), ("sqlite", "")] {
        let exported = try await ended(
          try await scene.call(
            "POST", "realm/export", body: #"{"path":"\#(Self.path)","format":"\#(format)"\#(name)}"#))
        #expect(exported["state"]?.string == "done", "\(exported.text)")
        let file = try #require(exported["file"]?.integer)
        let response = try await scene.send("GET", "files/\(file)")
        #expect(response.status == 200)
        #expect(response.text.contains("<b>Bo</b>"), "\(format)")
        #expect(response.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
        _ = try await scene.call("DELETE", "files/\(file)")
        #expect(try await scene.send("GET", "files/\(file)").status == 404)
      }
      let bad = try await ended(
        try await scene.call(
          "POST", "realm/import", body: #"{"path":"\#(Self.path)","file":\#(number),"class":"Ox"}"#))
      #expect(bad["state"]?.string == "failed")
      #expect(bad["message"]?.string?.contains("Ox") == true, "\(bad.text)")
      #expect(bad["message"]?.string?.contains(scene.folder) != true)
      // A failed export leaves no file.
      let broken = try await ended(
        try await scene.call(
          "POST", "realm/export", body: #"{"path":"\#(Self.path)","format":"csv","class":"Dog","query":"id =="}"#))
      #expect(broken["state"]?.string == "failed")
      #expect(broken["message"]?.string?.contains(scene.folder) != true)
      let left = try #require(broken["file"]?.integer)
      #expect(try await scene.send("GET", "files/\(left)").status == 404)
    }
  }

  @Test("a realm at the path of a deleted one shows its own objects, in its own order")
  func deletion() async throws {
    try await AdminScene.run { scene in
      let order = "&sort=name&descending=true"
      func names() async throws -> [String] {
        try await AdminObjectsTests.rows(scene, order).compactMap { $0["values"]?["name"]?.string }
      }
      try AdminObjectsTests.makeRealm(in: scene, dogs: 3)
      #expect(try await names() == ["Dog 2", "Dog 1", "Dog 0"])
      #expect(try await scene.send("DELETE", "realm?path=\(Self.path)").status == 204)
      try AdminObjectsTests.makeRealm(in: scene, dogs: 5)
      #expect(try await names() == ["Dog 4", "Dog 3", "Dog 2", "Dog 1", "Dog 0"])
    }
  }

  @Test("a user has a bounded number of requests under way, and each that ends makes room")
  func requests() throws {
    let requests = UserRequests(limit: 2)
    try requests.begin("ann")
    try requests.begin("ann")
    #expect(throws: APIError.self) { try requests.begin("ann") }
    try requests.begin("ben")
    requests.end("ann")
    try requests.begin("ann")
    #expect(throws: APIError.self) { try requests.begin("ann") }
  }

  @Test("a user sees and changes what was granted, and nothing else")
  func users() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      let ben = try await Self.logIn("ben", scene)
      func status(_ method: String, _ path: String, body: String = "") async throws -> Int {
        try await scene.send(method, path, token: ben.token, body: body).status
      }
      let objects = "realm/objects?path=\(Self.path)&class=Dog"
      let edit =
        #"{"path":"\#(Self.path)","edits":[{"action":"update","class":"Dog","key":"1","values":{"name":"Bo"}}]}"#
      #expect(try await status("GET", objects) == 403)
      #expect(try await status("GET", "realm?path=\(Self.path)") == 403)
      #expect(try await status("GET", "realm/models?path=\(Self.path)&language=dart") == 403)
      #expect(try await status("POST", "realm/transaction", body: edit) == 403)
      let none = try await scene.send("GET", "realms", token: ben.token)
      #expect(try JSONValue(parsing: none.body)["total"]?.integer == 0)
      func grant(_ access: String) async throws {
        _ = try await scene.call(
          "PUT", "permissions", body: #"{"path":"\#(Self.path)","userId":"\#(ben.id)","access":"\#(access)"}"#)
      }
      try await grant("read")
      #expect(try await status("GET", objects) == 200)
      #expect(try await status("POST", "realm/transaction", body: edit) == 403)
      #expect(try await status("GET", objects + "&at=1") == 403)
      let one = try await scene.send("GET", "realms", token: ben.token)
      #expect(try JSONValue(parsing: one.body)["total"]?.integer == 1)
      try await grant("write")
      #expect(try await status("POST", "realm/transaction", body: edit) == 200)
      #expect(try await AdminObjectsTests.rows(scene, "&query=name%20%3D%3D%20%22Bo%22").count == 1)
      // Permissions inside the realm bound the user.
      _ = try await scene.call("POST", "realm/roles", body: #"{"path":"\#(Self.path)"}"#)
      _ = try await scene.call(
        "PUT", "realm/roles", body: #"{"path":"\#(Self.path)","class":"Dog","entries":[]}"#)
      #expect(try await status("GET", objects) == 403)
      let other = edit.replacing("Bo", with: "Cy")
      #expect(try await status("POST", "realm/transaction", body: other) == 403)
      let realm = try JSONValue(
        parsing: try await scene.send("GET", "realm?path=\(Self.path)", token: ben.token).body)
      #expect(realm["classes"]?.elements?.contains { $0["name"]?.string == "Dog" } == false)
    }
  }

  @Test("what an administrator changes by the cookie of a browser is in the audit log under their name")
  func audit() async throws {
    try await AdminScene.run(studio: true) { scene in
      try AdminObjectsTests.makeRealm(in: scene)
      let root = try await scene.call(
        "POST", "users", body: #"{"name":"root","password":"secret-root","isAdministrator":true}"#)
      let id = try #require(root["id"]?.string)
      let login = try await scene.send(
        "POST", "/studio/session", body: #"{"username":"root","password":"secret-root"}"#,
        headers: ["Content-Type": "application/json"])
      #expect(login.status == 200)
      let cookie = String(try #require(login.headers["Set-Cookie"]).prefix { $0 != ";" })
      let token = try #require(try JSONValue(parsing: login.body)["token"]?.string)
      let headers: HTTPHeaders = ["Cookie": cookie, "X-OpenRealm-Token": token]
      let edit = #"{"path":"\#(Self.path)","edits":[{"action":"delete","class":"Dog","key":"1"}]}"#
      let changes: [(method: String, path: String, body: String, event: String)] = [
        ("POST", "realm/transaction", edit, "admin.writeObjects"),
        (
          "POST", "realm/schema", #"{"path":"\#(Self.path)","classes":[{"name":"Cat","properties":[]}]}"#,
          "admin.addSchema"
        ), ("POST", "realm/roles", #"{"path":"\#(Self.path)"}"#, "admin.openPermissions"),
        ("POST", "realm/export", #"{"path":"\#(Self.path)","format":"json"}"#, "admin.startExport"),
      ]
      for change in changes {
        let response = try await scene.send(change.method, change.path, body: change.body, headers: headers)
        #expect(response.isSuccess, "\(change.event) \(response.text)")
        let entries = try await scene.call("GET", "audit?event=\(change.event)")["entries"]?.elements ?? []
        #expect(entries.last?["actor"]?.string == id, "\(change.event)")
        #expect(entries.last?["subject"]?.string == Self.path, "\(change.event)")
      }
    }
  }
}
