import ByteCoding
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import TestKit
import Testing
import Transport

@Suite("requests that are passed on")
struct RelayRequestTests {
  /// A cluster with the realm `/shared` at node b, which everybody reads and ann writes.
  private final class Scene {
    let folder = NSTemporaryDirectory() + "/relayed-" + UUID().uuidString
    let cluster: ClusterStage
    let path: RealmPath
    let ann: String
    let ben: String
    let root: String
    var stage: Stage { cluster.stage }

    init(
      realmsAt owner: RealmMap.Owner = .node("b"), _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
      path = try RealmPath("/shared")
      let random = RandomSource(SeededGenerator(seed: 3))
      let histories = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
      try GraphQLScene.make(path, in: histories) { try $0.addClasses(GraphQLScene.schema) }
      cluster = try ClusterStage(
        histories: histories, realmsAt: owner, configure)
      let stage = cluster.stage
      (ann, ben) = (try stage.user("ann").token, try stage.user("ben").token)
      root = try stage.user("root", isAdministrator: true).token
      _ = try stage.directory.recordRealm(path, createdBy: "root", at: stage.loop.wallTime)
      try stage.directory.setGrant(Grant(path: path, grantee: .user("ann"), level: .write))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func ask(
      _ query: String, at path: String = "/shared", as bearer: String?, to server: String = "server"
    ) throws -> HTTPResponse {
      let body = JSONValue.object([("query", .string(query)), ("variables", .null)]).text
      return try stage.send(
        "POST", "/graphql" + path, bearer: bearer, body: body, headers: ["Content-Type": "application/json"], to: server
      )
    }

    func admin(
      _ method: String, _ path: String, as bearer: String? = nil, body: String = "", to server: String = "server"
    ) throws -> HTTPResponse {
      try stage.send(method, AdminAPI.prefix + path, bearer: bearer ?? root, body: body, to: server)
    }
  }

  @Test("GraphQL through another node answers as at the owner, refusals included")
  func graphQL() throws {
    let scene = try Scene()
    let made = try scene.ask("mutation { createTask(input: {id: 1, title: \"Buy milk\"}) { id } }", as: scene.ann)
    #expect(made.text == #"{"data":{"createTask":{"id":1}},"extensions":{"durable":{"version":2}}}"#)
    #expect(scene.stage.server.hub.realms.isEmpty)
    let questions: [(query: String, path: String, bearer: String?)] = [
      ("{ tasks { id title } }", "/shared", scene.ben), ("{ tasks { none } }", "/shared", scene.ben),
      ("{ tasks { id } }", "/shared", nil), ("{ tasks { id } }", "/ann/none", scene.ann),
      ("{ tasks { id } }", "/ann/own", scene.ben), ("{ tasks { id } }", "/~/none", scene.ann),
      ("mutation { deleteTasks }", "/shared", scene.ben), ("{", "/shared", scene.ann),
      ("{ tasks { id } }", "/a/../b", scene.ann),
    ]
    for (query, path, bearer) in questions {
      let here = try scene.ask(query, at: path, as: bearer)
      let there = try scene.ask(query, at: path, as: bearer, to: "b")
      #expect(here.status == there.status, "\(path) \(query)")
      #expect(here.text == there.text, "\(path) \(query)")
      #expect(here.headers["Content-Type"] == there.headers["Content-Type"], "\(path) \(query)")
    }
    let schema = try scene.stage.send("GET", "/graphql/schema/shared", bearer: scene.ben)
    #expect(schema.text.contains("type Task"))
  }

  @Test("administration of a realm through another node answers as at the owner")
  func administration() throws {
    let scene = try Scene()
    let edit =
      #"{"path":"/shared","edits":[{"action":"create","class":"Task","key":"7","values":{"title":"x"}}]}"#
    let written = try scene.admin("POST", "realm/transaction", as: scene.ann, body: edit)
    #expect(written.status == 200, "\(written.text)")
    let refused = try scene.admin("POST", "realm/transaction", as: scene.ben, body: edit)
    #expect(refused.status == 403, "\(refused.text)")
    for path in [
      "realm/objects?path=/shared&class=Task", "realm/objects?path=/shared&class=None", "realm/history?path=/shared",
    ] {
      let bearer = path.contains("history") ? scene.root : scene.ben
      let here = try scene.admin("GET", path, as: bearer)
      let there = try scene.admin("GET", path, as: bearer, to: "b")
      #expect(here.status == there.status, "\(path)")
      #expect(here.text == there.text, "\(path)")
    }
    #expect(scene.stage.server.hub.realms.isEmpty)
  }

  @Test("a realm is made, renamed and deleted at the node that has it, whichever is asked")
  func lifecycle() throws {
    let scene = try Scene()
    #expect(try scene.admin("POST", "realms", body: #"{"path":"/team"}"#).status == 201)
    #expect(try scene.admin("POST", "realms", body: #"{"path":"/team"}"#).status == 409)
    let (phone, _) = try scene.stage.session(scene.root, "/team")
    let renamed = try scene.admin("POST", "realm/rename", body: #"{"path":"/team","newPath":"/crew"}"#)
    #expect(renamed.status == 204, "\(renamed.text)")
    #expect(phone.take().compactMap(\.failureCode) == [200])
    #expect(try scene.stage.directory.renamedPath(of: RealmPath("/team")) == RealmPath("/crew"))
    let deleted = try scene.stage.send("DELETE", "/api/openrealm/v1/realms?path=/crew", bearer: scene.root)
    #expect(deleted.status == 204, "\(deleted.text)")
    #expect(try !scene.stage.directory.facts(of: RealmPath("/crew")).exists)
  }

  @Test("requests about the directory are answered by the node that is asked")
  func directory() throws {
    let scene = try Scene()
    scene.cluster.crash("b")
    scene.stage.run()
    #expect(try scene.admin("GET", "users").status == 200)
    #expect(try scene.stage.send("GET", "/api/openrealm/v1/realms", bearer: scene.ann).status == 200)
    #expect(try scene.admin("GET", "permissions?path=/shared").status == 200)
    #expect(try scene.stage.send("GET", "/health").status == 200)
    let refused = try scene.ask("{ tasks { id } }", as: scene.ben)
    #expect(refused.status == 503)
    #expect(refused.headers["Retry-After"] == "1")
  }

  @Test("a realm of nobody is taken for a request that may have it to do, and for no other")
  func nobody() throws {
    let scene = try Scene(realmsAt: .nobody)
    #expect(try scene.ask("{ tasks { id } }", at: "/none", as: nil).status == 401)
    #expect(try scene.ask("{ tasks { id } }", at: "/none", as: scene.ann).status >= 400)
    #expect(scene.cluster.map.acquisitions == 0)
    #expect(try scene.ask("{ tasks { id } }", as: scene.ben).status == 200)
    #expect(scene.cluster.map[scene.path] == .node("a"))
    #expect(try scene.admin("POST", "realms", body: #"{"path":"/team"}"#, to: "c").status == 201)
    #expect(scene.cluster.map[try RealmPath("/team")] == .node("c"))
  }

  @Test("nodes that disagree refuse with 409, a forged statement is refused with 403, an import names the way")
  func refusals() throws {
    let scene = try Scene()
    let (a, b) = (try scene.cluster.placement("a"), try scene.cluster.placement("b"))
    #expect(try scene.admin("POST", "realm/export", body: #"{"path":"/shared","format":"json"}"#).status == 409)
    // Each takes the other for the owner, and finds no owner when it looks again.
    a.believe(.node(b.node), of: scene.path)
    b.believe(.node(a.node), of: scene.path)
    scene.cluster.map[scene.path] = .moving
    let looped = try scene.ask("{ tasks { id } }", as: scene.ben)
    #expect(looped.status == 409, "\(looped.text)")
    scene.cluster.map[scene.path] = .node("b")
    a.believe(nil, of: scene.path)
    let forged = try scene.stage.send(
      "GET", "/graphql/shared?query=%7B+tasks+%7B+id+%7D+%7D", bearer: scene.ben,
      headers: [PassedOn.header: "1;0;61;62;00"])
    #expect(forged.status == 403)
  }

  @Test("a GraphQL socket through another node subscribes, hears changes, and comes back when the realm leaves")
  func socket() throws {
    let scene = try Scene()
    let client = GraphQLClient()
    client.connection = scene.stage.network.host("browser").connectWebSocket(
      to: WebSocketEndpoint(
        url: try NetworkURL("ws://server:9080/graphql/shared"), protocolTokens: ["graphql-transport-ws"]),
      options: WebSocketOptions(), handler: client)
    scene.stage.run()
    #expect(client.chosen == "graphql-transport-ws")
    client.send(#"{"type":"connection_init","payload":{"token":"\#(scene.ben)"}}"#)
    scene.stage.run()
    #expect(client.take() == [#"{"type":"connection_ack"}"#])
    client.send(#"{"id":"1","type":"subscribe","payload":{"query":"subscription { tasks { id } }"}}"#)
    scene.stage.run()
    #expect(client.take() == [#"{"id":"1","type":"next","payload":{"data":{"tasks":[]}}}"#])
    _ = try scene.ask("mutation { createTask(input: {id: 1}) { id } }", as: scene.ann, to: "c")
    #expect(client.take() == [#"{"id":"1","type":"next","payload":{"data":{"tasks":[{"id":1}]}}}"#])
    try scene.cluster.move(scene.path, to: "c")
    scene.stage.run()
    #expect(client.closeCode == 4404)
    #expect(try scene.ask("{ tasks { id } }", as: scene.ben).text == #"{"data":{"tasks":[{"id":1}]}}"#)
    #expect(try scene.cluster.server("b").hub.realms.isEmpty)
  }

  @Test("a socket that is refused at the owner is refused with its words")
  func refusedSocket() throws {
    let scene = try Scene()
    for host in ["server", "b"] {
      let client = GraphQLClient()
      client.connection = scene.stage.network.host("browser").connectWebSocket(
        to: WebSocketEndpoint(url: try NetworkURL("ws://\(host):9080/graphql/shared"), protocolTokens: ["nonsense"]),
        options: WebSocketOptions(), handler: client)
      scene.stage.run()
      guard case .refused(let response)? = client.closure else {
        Issue.record("\(host): \(String(describing: client.closure))")
        continue
      }
      #expect(response.status == 400)
      #expect(response.text == "speak graphql-transport-ws or graphql-ws\n")
    }
  }
}
