import ByteCoding
import Concurrency
import DataModel
import Foundation
@testable import ObjectServer
import RecordStore
import Testing
import Transport
import TransportReal

@Suite("Studio over a file of this machine", .serialized)
struct LocalStudioTests {
  private static let key = String(repeating: "0123456789abcdef", count: 4)
  private static let objects = AdminScene.prefix + "realm/objects?path=x&class=Dog"
  private static let transaction = AdminScene.prefix + "realm/transaction"

  /// A server over a file with one dog, asked over loopback.
  private struct Scene {
    let file: RealmFile
    let network: RealNetwork
    let port: Int
    /// The headers that a browser sends after its login.
    var headers: HTTPHeaders = [:]

    static func run(isReadOnly: Bool = false, _ use: (inout Scene) async throws -> Void) async throws {
      let file = try RealmFile.open(
        .inMemory(name: "local-studio:\(UUID().uuidString)"), options: RealmFile.Options(recordsChangesets: true))
      try file.edit { editor in
        try editor.addClasses(
          Schema([
            ObjectSchema(
              className: "Dog", primaryKey: "id",
              properties: [Property(name: "id", type: .int), Property(name: "name", type: .string)])
          ]))
        let dog = ObjectReference(className: "Dog", key: .int(1))
        try editor.create(dog)
        try editor.set(["name": .value(.string("Rex"))], of: dog)
      }
      let loop = try EventLoop(name: "local-studio")
      defer { loop.shutDown() }
      let network = RealNetwork(loop: loop)
      let studio = LocalStudio(
        file, name: "pets.realm", isReadOnly: isReadOnly,
        pages: StaticFiles(["index.html": StaticFile(Array("<p>".utf8), name: "index.html")]), key: key,
        context: LoopContext(scheduler: network.scheduler, executor: ThreadPoolExecutor(threads: 1)))
      let listener = try await network.listen(on: ListenAddress(port: 0), handler: studio)
      var scene = Scene(file: file, network: network, port: listener.address.port)
      try await use(&scene)
    }

    func send(
      _ method: String, _ path: String, body: String = "", headers: HTTPHeaders? = nil
    ) async throws -> HTTPResponse {
      try await network.response(
        to: HTTPClientRequest(
          method: method, url: NetworkURL(scheme: .http, host: "127.0.0.1", port: port, target: path),
          headers: headers ?? self.headers, body: Array(body.utf8), timeout: .seconds(300)))
    }

    mutating func logIn() async throws {
      let response = try await send(
        "POST", "/studio/session", body: #"{"key":"\#(LocalStudioTests.key)"}"#,
        headers: ["Content-Type": "application/json"])
      let cookie = try #require(response.headers["Set-Cookie"])
      #expect(cookie.contains("HttpOnly"))
      #expect(cookie.contains("SameSite=Strict"))
      #expect(!cookie.contains(LocalStudioTests.key))
      let token = try #require(try JSONValue(parsing: response.body)["token"]?.string)
      headers = ["Cookie": String(cookie.prefix { $0 != ";" }), "X-OpenRealm-Token": token]
    }
  }

  @Test("nothing of the file is told without the key, nor what it is called")
  func strangers() async throws {
    try await Scene.run { scene in
      for path in ["realm?path=x", "realm/objects?path=x&class=Dog", "realm/models?path=x&language=swift"] {
        #expect(try await scene.send("GET", AdminScene.prefix + path).status == 401, "\(path)")
      }
      #expect(try await scene.send("POST", Self.transaction, body: #"{"path":"x","edits":[]}"#).status == 401)
      #expect(try await scene.send("GET", "/studio/session").text == "null")
      for body in ["", "{}", "null", #"{"key":""}"#, #"{"key":1}"#, #"{"key":"0123456789abcdef"}"#] {
        let response = try await scene.send(
          "POST", "/studio/session", body: body, headers: ["Content-Type": "application/json"])
        #expect(response.status == 401, "\(body)")
        #expect(response.headers["Set-Cookie"] == nil)
      }
      // A form of another site has another type.
      let form = try await scene.send(
        "POST", "/studio/session", body: #"{"key":"\#(Self.key)"}"#, headers: ["Content-Type": "text/plain"])
      #expect(form.status == 401)
    }
  }

  @Test("what comes from another machine is refused, with the login as well")
  func origins() async throws {
    try await Scene.run { scene in
      try await scene.logIn()
      for (name, value) in [("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9"), ("Via", "1.1 proxy")]
      {
        var headers = scene.headers
        headers[name] = value
        #expect(try await scene.send("GET", Self.objects, headers: headers).status == 403, "\(name)")
      }
    }
  }

  @Test("with the key the file is shown and changed, and a change needs the token of the page")
  func owner() async throws {
    try await Scene.run { scene in
      try await scene.logIn()
      #expect(try await scene.send("GET", "/studio/session").text.contains("pets.realm"))
      let found = try JSONValue(parsing: try await scene.send("GET", Self.objects).body)
      #expect(found["objects"]?.elements?.first?["values"]?["name"]?.string == "Rex")
      let edit = #"{"path":"x","edits":[{"action":"update","class":"Dog","key":"1","values":{"name":"Bo"}}]}"#
      let cookie: HTTPHeaders = ["Cookie": scene.headers["Cookie"] ?? ""]
      #expect(try await scene.send("POST", Self.transaction, body: edit, headers: cookie).status == 403)
      let preview = edit.replacing(#""path":"x""#, with: #""path":"x","preview":true"#)
      let lines = try JSONValue(parsing: try await scene.send("POST", Self.transaction, body: preview).body)
      #expect(lines["instructions"]?.elements?.contains { $0.string?.contains("Bo") == true } == true)
      #expect(try await scene.send("GET", Self.objects).text.contains("Rex"))
      #expect(try await scene.send("POST", Self.transaction, body: edit).status == 200)
      #expect(try await scene.send("GET", Self.objects).text.contains("Bo"))
      let added = #"{"path":"x","classes":[{"name":"Cat","properties":[{"name":"name","type":"string"}]}]}"#
      #expect(try await scene.send("POST", AdminScene.prefix + "realm/schema", body: added).status == 200)
      let models = try await scene.send("GET", AdminScene.prefix + "realm/models?path=x&language=swift")
      #expect(models.text.contains("class Cat: Object"))
    }
  }

  @Test("bad requests are answered with what is wrong")
  func refusals() async throws {
    try await Scene.run { scene in
      try await scene.logIn()
      #expect(try await scene.send("GET", Self.objects.replacing("Dog", with: "Ox")).status == 404)
      #expect(try await scene.send("GET", Self.objects + "&query=id%20%3D%3D").status == 400)
      #expect(try await scene.send("GET", Self.objects + "&at=1").status == 501)
      #expect(try await scene.send("GET", AdminScene.prefix + "users").status == 404)
      #expect(try await scene.send("DELETE", AdminScene.prefix + "realm?path=x").status == 405)
      #expect(try await scene.send("POST", Self.transaction, body: "{").status == 400)
      let impossible = #"{"path":"x","classes":[{"name":"Dog","properties":[{"name":"name","type":"int"}]}]}"#
      let refused = try await scene.send("POST", AdminScene.prefix + "realm/schema", body: impossible)
      #expect((400...409).contains(refused.status), "\(refused.text)")
      #expect(try await scene.send("GET", "/secret").status == 404)
    }
  }

  @Test("a file that is to be read only is not changed by any request")
  func readOnly() async throws {
    try await Scene.run(isReadOnly: true) { scene in
      try await scene.logIn()
      let edit = #"{"path":"x","edits":[{"action":"delete","class":"Dog","key":"1"}]}"#
      #expect(try await scene.send("POST", Self.transaction, body: edit).status == 403)
      let added = #"{"path":"x","classes":[{"name":"Cat","properties":[]}]}"#
      #expect(try await scene.send("POST", AdminScene.prefix + "realm/schema", body: added).status == 403)
      #expect(try scene.file.contents().count(of: "Dog") == 1)
    }
  }
}
