@testable import ObjectServer
import Testing
import Transport

@Suite("the realm that a request names")
struct NamedRealmTests {
  @Test("every operation of administration with the path of a realm decides, and the path is where it is looked for")
  func operations() {
    for operation in AdminOperation.all {
      let inQuery = operation.parameters.contains { $0.name == "path" }
      let inBody =
        if case .object(let members)? = operation.body { members.contains { $0.name == "path" } } else { false }
      if operation.needsRealm {
        #expect(operation.body == nil ? inQuery : inBody, "\(operation.name)")
      } else {
        // Grants stand in the directory.
        #expect(!inQuery && !inBody || operation.segments.first == "permissions", "\(operation.name)")
      }
    }
  }

  @Test(
    "the realm is found in path, query and body, and nowhere for what every node answers",
    arguments: [
      ("GET", "/graphql/a/b", "", "a/b"), ("GET", "/graphql/schema/a/b", "", "a/b"),
      ("GET", "/graphql/explore/a/b", "", nil), ("DELETE", "/api/openrealm/v1/realms?path=%2Fa", "", "/a"),
      ("POST", "/api/openrealm/v1/realms/rename", #"{"path":"/a","newPath":"/b"}"#, "/a"),
      ("POST", "/api/openrealm/v1/realms/rename", #"{"path":7}"#, nil),
      ("POST", "/api/openrealm/v1/realms/rename", "{", nil), ("GET", "/api/openrealm/v1/realms", "", nil),
      ("GET", "/api/openrealm/v1/admin/realm/objects?path=/a&class=X", "", "/a"),
      ("POST", "/api/openrealm/v1/admin/realm/transaction", #"{"path":"/a"}"#, "/a"),
      ("GET", "/api/openrealm/v1/admin/permissions?path=/a", "", nil), ("GET", "/nothing", "", nil),
      ("GET", "/api/openrealm/v1/admin/adapters/x?path=/a", "", "/a"),
      ("GET", "/api/openrealm/v1/admin/adapters/x/realms", "", nil),
    ] as [(String, String, String, String?)])
  func requests(method: String, target: String, body: String, realm: String?) {
    let request = HTTPRequest(method: method, target: target, body: Array(body.utf8))
    #expect(NamedRealm(of: request)?.text == realm)
  }

  @Test("headers of one connection are not passed on, and those that Connection names neither")
  func hopHeaders() {
    let headers: HTTPHeaders = [
      "Host": "a", "Authorization": "t", "Connection": "keep-alive, X-Own", "X-Own": "1", "X-Other": "2",
      "Content-Length": "7", "Upgrade": "websocket", "Sec-WebSocket-Key": "k", "OpenRealm-Passed-On": "forged",
    ]
    let passed = HopHeaders.passedOn(headers, adding: ["OpenRealm-Passed-On": "true", "Via": "1.1 openrealm"])
    #expect(passed.fields.map(\.name) == ["Authorization", "X-Other", "OpenRealm-Passed-On", "Via"])
    #expect(passed["OpenRealm-Passed-On"] == "true")
  }
}
