@testable import ObjectServer
import Testing

@Suite("GraphQL in the audit log")
struct GraphQLAuditTests {
  private static func entries(_ scene: GraphQLScene) throws -> [String] {
    var filter = AuditReader.Filter()
    (filter.event, filter.limit) = ("graphql.mutation", 1_000)
    return try scene.audit.reader.entries(filter).map { entry in
      ([entry.actor, entry.subject, entry.outcome] + entry.details.map { "\($0.name)=\($0.value)" })
        .joined(separator: ", ")
    }
  }

  @Test("every mutation is noted with its user, realm, fields, version and outcome; queries and values are not")
  func mutations() throws {
    let scene = try GraphQLScene()
    _ = try scene.ask("{ tasks { id } }", as: scene.ann)
    _ = try scene.ask("mutation { tsk }", as: scene.ann)
    #expect(try Self.entries(scene) == [], "nothing was tried")
    _ = try scene.ask(
      "mutation { a: createTask(input: {id: 1, title: \"hush\"}) { id } deleteTask(id: 9) }", as: scene.ann)
    _ = try scene.ask("mutation { createTask(input: {id: 2}) { id } }", as: scene.ben)
    _ = try scene.ask("mutation { deleteTasks }", as: scene.root)
    #expect(
      try Self.entries(scene) == [
        "ann, /shared, ok, fields=createTask deleteTask, version=2",
        "ben, /shared, FORBIDDEN, fields=createTask, version=2", "root, /shared, ok, fields=deleteTasks, version=3",
      ])
    let entries = try scene.audit.reader.entries()
    #expect(entries.allSatisfy { !$0.details.contains { $0.value.contains("hush") } })
    #expect(entries.filter { $0.event == "graphql.mutation" }.allSatisfy { !$0.address.isEmpty })
  }

  @Test("a mutation by a WebSocket is noted, too")
  func sockets() throws {
    let scene = try GraphQLScene()
    let client = try scene.socket()
    client.send(#"{"type":"connection_init","payload":{"token":"\#(scene.ann)"}}"#)
    scene.stage.run()
    client.send(#"{"id":"1","type":"subscribe","payload":{"query":"mutation { deleteTasks }"}}"#)
    scene.stage.run()
    #expect(try Self.entries(scene) == ["ann, /shared, ok, fields=deleteTasks, version=1"])
  }

  @Test("a user who writes without end is counted beyond the rate; an administrator is always noted")
  func rate() throws {
    let scene = try GraphQLScene { $0.graphQL.requestsPerUser = 1_000 }
    let client = try scene.socket()
    client.send(#"{"type":"connection_init","payload":{"token":"\#(scene.ben)"}}"#)
    scene.stage.run()
    for id in 0..<400 {
      client.send(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"mutation { deleteTasks }"}}"#)
    }
    scene.stage.run(.seconds(20))
    _ = try scene.ask("mutation { deleteTasks }", as: scene.root)
    let noted = try Self.entries(scene)
    #expect((200..<400).contains(noted.count))
    #expect(noted.last?.hasPrefix("root") == true)
    scene.stage.run(.seconds(10))
    _ = try scene.ask("mutation { deleteTasks }", as: scene.ben)
    let suppressed = try scene.audit.reader.entries().filter { $0.event == "audit.suppressed" }
    #expect(suppressed.last?.details.first?.name == "mutations")
  }
}
