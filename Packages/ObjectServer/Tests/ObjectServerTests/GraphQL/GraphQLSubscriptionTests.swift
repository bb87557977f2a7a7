@testable import ObjectServer
import Permissions
import Testing
import Transport

@Suite("GraphQL subscriptions")
struct GraphQLSubscriptionTests {
  private static let begin = ["graphql-transport-ws": "subscribe", "graphql-ws": "start"]
  private static let data = ["graphql-transport-ws": "next", "graphql-ws": "data"]

  private func subscribed(
    _ scene: GraphQLScene, _ query: String, _ offer: String = "graphql-transport-ws", at path: String = "/shared",
    token: String? = nil
  ) throws -> GraphQLClient {
    let client = try scene.socket(offer, at: path)
    client.send(#"{"type":"connection_init","payload":{"token":"\#(token ?? scene.ben)"}}"#)
    scene.stage.run()
    #expect(client.take().first == #"{"type":"connection_ack"}"#)
    client.send(#"{"id":"1","type":"\#(Self.begin[offer] ?? "")","payload":{"query":"\#(query)"}}"#)
    scene.stage.run()
    return client
  }

  @Test("the present result comes first, then each one that is another", arguments: GraphQLScene.protocols)
  func results(offer: String) throws {
    let scene = try GraphQLScene()
    let client = try subscribed(scene, "subscription { tasks(query: \\\"done == false\\\") { id title } }", offer)
    let data = Self.data[offer] ?? ""
    #expect(client.chosen == offer)
    #expect(client.take() == [#"{"id":"1","type":"\#(data)","payload":{"data":{"tasks":[]}}}"#])
    _ = try scene.ask("mutation { createTask(input: {id: 1, title: \"a\"}) { id } }", as: scene.ann)
    #expect(client.take() == [#"{"id":"1","type":"\#(data)","payload":{"data":{"tasks":[{"id":1,"title":"a"}]}}}"#])
    _ = try scene.ask("mutation { createTask(input: {id: 2, done: true}) { id } }", as: scene.ann)
    #expect(client.take().isEmpty, "the result is the same")
    _ = try scene.ask(
      "mutation { createTask(input: {id: 1, done: true}, updatePolicy: MODIFIED) { id } }", as: scene.ann)
    #expect(client.take() == [#"{"id":"1","type":"\#(data)","payload":{"data":{"tasks":[]}}}"#])
  }

  @Test("a change of an object that the selection shows is a change of the result")
  func linked() throws {
    let scene = try GraphQLScene()
    _ = try scene.ask("mutation { createTask(input: {id: 1, owner: {name: \"ann\"}}) { id } }", as: scene.ann)
    let client = try subscribed(scene, "subscription { tasks { owner { name } } }")
    _ = client.take()
    _ = try scene.ask("mutation { deleteMember(name: \"ann\") }", as: scene.ann)
    #expect(client.take() == [#"{"id":"1","type":"next","payload":{"data":{"tasks":[{"owner":null}]}}}"#])
  }

  @Test("the second form sends positions, and a token from which it goes on")
  func changes() throws {
    let scene = try GraphQLScene()
    _ = try scene.ask("mutation { createTasks(input: [{id: 1}, {id: 2}]) { id } }", as: scene.ann)
    let query =
      "isInitial count deletions insertions { position object { id } } modifications { position object { title } }"
    let client = try subscribed(scene, "subscription { tasksChanges(sortBy: \\\"id\\\") { \(query) token } }")
    let first = try #require(client.take().first)
    #expect(
      first.contains(#""isInitial":true,"count":2,"deletions":[],"insertions":[{"position":0,"object":{"id":1}},"#))
    let token = try #require(first.split(separator: #""token":""#).last?.split(separator: "\"").first)
    _ = try scene.ask(
      "mutation { createTask(input: {id: 2, title: \"b\"}, updatePolicy: MODIFIED) { id } }", as: scene.ann)
    #expect(
      client.take().first?.contains(
        #""isInitial":false,"count":2,"deletions":[],"insertions":[],"modifications":[{"position":1,"object":{"title":"b"}}]"#
      ) == true)
    _ = try scene.ask("mutation { deleteTask(id: 1) }", as: scene.ann)
    #expect(client.take().first?.contains(#""count":1,"deletions":[0],"insertions":[],"modifications":[]"#) == true)
    let resumed = try subscribed(
      scene, "subscription { tasksChanges(sortBy: \\\"id\\\", resumeFrom: \\\"\(token)\\\") { \(query) } }")
    let answer = try #require(resumed.take().first)
    #expect(
      answer.contains(
        #""isInitial":false,"count":1,"deletions":[0],"insertions":[],"modifications":[{"position":0,"object":{"title":"b"}}]"#
      ), "\(answer)")
  }

  @Test("what devices write reaches subscriptions, and what GraphQL writes reaches devices")
  func devices() throws {
    let scene = try GraphQLScene()
    let device = try FlexibleClient(scene.stage, scene.ann)
    try device.subscribe(#"{"Room":"TRUEPREDICATE"}"#)
    let client = try subscribed(scene, "subscription { rooms(sortBy: \\\"name\\\") { name topic } }", at: "/default")
    #expect(client.take().count == 1)
    _ = try scene.ask(
      "mutation { createRoom(input: {name: \"secret\", topic: \"t\"}, updatePolicy: MODIFIED) { name } }",
      at: "/default",
      as: scene.ann)
    try device.settle()
    #expect(client.take().isEmpty, "ben may not read the room")
    #expect("\(device.state)".contains("\"t\""), "\(device.state)")
  }

  @Test("queries and mutations over the socket are answered once")
  func once() throws {
    let scene = try GraphQLScene()
    let client = try subscribed(scene, "mutation { createTask(input: {id: 7}) { id } }", token: scene.ann)
    scene.stage.run(.seconds(1))
    let messages = client.take()
    #expect(messages.first?.contains(#""createTask":{"id":7}"#) == true, "\(messages)")
    #expect(messages.last == #"{"id":"1","type":"complete"}"#)
  }

  @Test("a wrong document is an error of its operation, and the socket stays")
  func wrongDocument() throws {
    let scene = try GraphQLScene()
    let client = try subscribed(scene, "subscription { tsks { id } }")
    #expect(client.take().first?.contains(#""type":"error","payload":[{"message":"Cannot query field"#) == true)
    #expect(client.closeCode == nil)
  }

  @Test("without a token the socket is closed with 4403, as are those whose token, login or grant ends")
  func forbidden() throws {
    let scene = try GraphQLScene { $0.loginReviewInterval = .seconds(10) }
    let stranger = try scene.socket()
    stranger.send(#"{"type":"connection_init"}"#)
    scene.stage.run()
    #expect(stranger.closeCode == 4403)
    let short = try subscribed(
      scene, "subscription { tasks { id } }", token: scene.stage.token("ben", lifetime: .seconds(20)))
    _ = try scene.stage.directory.recordRealm(
      try RealmPath("/ben/notes"), createdBy: "ben", at: scene.stage.loop.wallTime)
    func grant(_ access: String) throws {
      let body = #"{"path":"/ben/notes","userId":"ann","access":"\#(access)"}"#
      let answer = try scene.stage.send("POST", "/api/openrealm/v1/permissions", bearer: scene.ben, body: body)
      #expect(answer.status == 200, "\(answer.text)")
    }
    try grant("read")
    let guest = try scene.socket(at: "/ben/notes")
    guest.send(#"{"type":"connection_init","payload":{"token":"\#(scene.ann)"}}"#)
    let login = try subscribed(scene, "subscription { tasks { id } }")
    scene.stage.run(.seconds(40))
    #expect(short.closeCode == 4403)
    #expect(login.closeCode == nil)
    #expect(guest.closeCode == nil)
    try grant("none")
    scene.stage.run()
    #expect(guest.closeCode == 4403)
    try scene.stage.directory.endLogin("login-ben")
    scene.stage.run(.seconds(25))
    #expect(login.closeCode == 4403)
  }

  @Test("subscriptions go on after the files were closed and opened again, without a result that was sent before")
  func idle() throws {
    let scene = try GraphQLScene()
    let client = try subscribed(scene, "subscription { tasks { id } }")
    _ = client.take()
    scene.stage.run(.seconds(30))
    #expect(client.take().isEmpty)
    #expect(scene.stage.server.hub.realms[scene.path]?.isOpen != true, "an idle realm is closed")
    _ = try scene.ask("mutation { createTask(input: {id: 3}) { id } }", as: scene.ann)
    #expect(client.take() == [#"{"id":"1","type":"next","payload":{"data":{"tasks":[{"id":3}]}}}"#])
  }

  @Test("connections of one user are bounded")
  func connections() throws {
    let scene = try GraphQLScene { $0.graphQL.connectionsPerUser = 1 }
    _ = try subscribed(scene, "subscription { tasks { id } }")
    let second = try scene.socket()
    second.send(#"{"type":"connection_init","payload":{"token":"\#(scene.ben)"}}"#)
    scene.stage.run()
    #expect(second.closeCode == 4429)
  }

  @Test("a subscriber is cut when more waits for its user than the settings allow", arguments: [1, 64 << 20])
  func slowReaders(bound: Int) throws {
    let scene = try GraphQLScene { $0.graphQL.bufferedBytesPerUser = bound }
    let client = try subscribed(scene, "subscription { tasks { id } }")
    for id in 2...5 {
      client.send(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"{ tasks { id } }"}}"#)
    }
    client.send(#"{"type":"ping"}"#)
    client.send(#"{"type":"ping"}"#)
    scene.stage.run()
    #expect((client.closure == nil) == (bound > 1))
  }

  @Test("a realm that is deleted ends its subscriptions")
  func deletion() throws {
    let scene = try GraphQLScene()
    let client = try subscribed(scene, "subscription { tasks { id } }")
    _ = try scene.stage.send("DELETE", "/api/openrealm/v1/realms?path=/shared", bearer: scene.root)
    #expect(client.closeCode == 4404)
  }
}
