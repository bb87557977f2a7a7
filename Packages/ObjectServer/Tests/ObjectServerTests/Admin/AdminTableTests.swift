import ByteCoding
@testable import ObjectServer
import Testing

@Suite("The table of the administration API")
struct AdminTableTests {
  @Test("names and patterns are unique, and every parameter of a path is described")
  func table() {
    let all = AdminOperation.all
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map { "\($0.method) \($0.path)" }).count == all.count)
    for operation in all {
      let named = operation.segments.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
      let described = operation.parameters.filter { $0.place == .path }.map(\.name)
      #expect(named == described, "\(operation.name)")
    }
  }

  @Test("the description lists every operation, and is what the server answers to everybody")
  func description() throws {
    let stage = try Stage()
    let response = try stage.send("GET", AdminScene.prefix + "openapi.json")
    #expect(response.status == 200)
    let document = try JSONValue(parsing: response.body)
    #expect(document == AdminOpenAPI.document(version: "embedded"))
    #expect(document["openapi"]?.string == "3.1.0")
    for operation in AdminOperation.all {
      let found = document["paths"]?["/" + operation.path]?[operation.method.lowercased()]
      #expect(found?["operationId"]?.string == operation.name)
    }
  }

  /// The operations that act for any user, within that user's rights.
  private static let forUsers: Set<String> = ["listRealms", "realm", "listObjects", "writeObjects", "modelClasses"]

  @Test("every operation refuses the bearers that it is not for, before it reads anything else")
  func bearers() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), root = try stage.user("root", isAdministrator: true)
    let bounded = try stage.token(root.id, path: "/root/x")
    for operation in AdminOperation.all where !operation.isOpen {
      let isForUsers = Self.forUsers.contains(operation.name)
      #expect((operation.access == .unbounded) == isForUsers, "\(operation.name)")
      let path = operation.segments.map { $0.hasPrefix("{") ? "1" : String($0) }.joined(separator: "/")
      for (token, status) in [(nil, 401), ("nonsense", 401), (ann.token, 403), (bounded, 403)] as [(String?, Int)] {
        if isForUsers, token == ann.token { continue }
        let response = try stage.send(
          operation.method, AdminScene.prefix + path, bearer: token, body: "no JSON")
        #expect(response.status == status, "\(operation.name) \(token ?? "-")")
      }
    }
  }

  @Test("what administrators send is checked by the table, and every refusal is described")
  func checks() throws {
    let stage = try Stage()
    let root = try stage.user("root", isAdministrator: true)
    for operation in AdminOperation.all where !operation.isOpen && operation.contentType == "application/json" {
      let path = operation.segments.map { $0.hasPrefix("{") ? "1" : String($0) }.joined(separator: "/")
      for body in ["", "{", "[]", "{}", #"{"unknown":1}"#, String(repeating: "[", count: 10_000)] {
        let response = try stage.send(operation.method, AdminScene.prefix + path, bearer: root.token, body: body)
        try AdminShape.check(operation.method, path, response)
        if operation.body != nil, body != "{}" {
          #expect(response.status == 400, "\(operation.name) \(body.prefix(20))")
        }
      }
    }
    #expect(try stage.send("GET", AdminScene.prefix + "nothing", bearer: root.token).status == 404)
    #expect(try stage.send("POST", AdminScene.prefix + "server", bearer: root.token).status == 405)
    #expect(try stage.send("GET", AdminScene.prefix + "users?limit=0", bearer: root.token).status == 400)
    #expect(try stage.send("GET", AdminScene.prefix + "users?limit=x", bearer: root.token).status == 400)
    #expect(try stage.send("GET", AdminScene.prefix + "permissions", bearer: root.token).status == 400)
  }
}
