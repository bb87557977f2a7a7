@testable import ObjectServer
import Permissions
import Testing
import Transport

@Suite("GraphQL over HTTP")
struct GraphQLHTTPTests {
  @Test("a mutation writes, says that it is durable, and a query reads it")
  func mutationAndQuery() throws {
    let scene = try GraphQLScene()
    let made = try scene.post(
      "mutation { createTask(input: {id: 1, title: \"Buy milk\", owner: {name: \"ann\"}}) { id owner { name } } }",
      as: scene.ann)
    #expect(made.status == 200)
    #expect(
      made.text
        == #"{"data":{"createTask":{"id":1,"owner":{"name":"ann"}}},"extensions":{"durable":{"version":2}}}"#)
    #expect(
      try scene.ask("{ tasks { title owner { name } } }", as: scene.ben)
        == #"{"data":{"tasks":[{"title":"Buy milk","owner":{"name":"ann"}}]}}"#)
  }

  @Test("a user who may only read is told by which rule a mutation is refused")
  func readOnly() throws {
    let scene = try GraphQLScene()
    let text = try scene.ask("mutation { createTask(input: {id: 1}) { id } }", as: scene.ben)
    #expect(text.contains(#""code":"FORBIDDEN""#), "\(text)")
    #expect(text.contains("read-only for this user"), "\(text)")
    #expect(try scene.ask("{ tasks { id } }", as: scene.ben) == #"{"data":{"tasks":[]}}"#)
  }

  @Test("tokens come bare or as Bearer; without one, or with one that is none, the answer is 401")
  func tokens() throws {
    let scene = try GraphQLScene()
    #expect(try scene.post("{ tasks { id } }", as: nil, headers: ["Authorization": scene.ann]).status == 200)
    #expect(try scene.post("{ tasks { id } }", as: scene.ann).status == 200)
    #expect(try scene.post("{ tasks { id } }", as: nil).status == 401)
    let expired = try scene.stage.token("ann", lifetime: .seconds(-1))
    let refused = try scene.post("{ tasks { id } }", as: expired)
    #expect(refused.status == 401)
    #expect(refused.text.contains("401: Unauthorized"))
  }

  @Test("a realm that is another's is refused, and one that is not there is not made")
  func paths() throws {
    let scene = try GraphQLScene()
    _ = try scene.stage.directory.recordRealm(
      try RealmPath("/ann/own"), createdBy: "ann", at: scene.stage.loop.wallTime)
    #expect(try scene.post("{ tasks { id } }", at: "/ann/own", as: scene.ben).status == 403)
    #expect(try scene.post("{ tasks { id } }", at: "/~/none", as: scene.ann).status == 404)
    #expect(try scene.post("{ tasks { id } }", at: "/%2Fshared", as: scene.ann).status == 200, "an encoded path")
  }

  @Test("GET asks, and changes nothing")
  func get() throws {
    let scene = try GraphQLScene()
    let read = try scene.stage.send("GET", "/graphql/shared?query=%7B+tasks+%7B+id+%7D+%7D", bearer: scene.ann)
    #expect(read.text == #"{"data":{"tasks":[]}}"#)
    let write = try scene.stage.send(
      "GET", "/graphql/shared?query=mutation%7BdeleteTasks%7D", bearer: scene.ann)
    #expect(write.status == 405)
    #expect(write.headers["Allow"] == "POST")
  }

  @Test("a body that is not JSON by its type is refused, so that no form of another site can send one")
  func contentType() throws {
    let scene = try GraphQLScene()
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
      #expect(try scene.post("{ tasks { id } }", as: scene.ann, headers: ["Content-Type": type]).status == 415)
    }
    let broken = try scene.stage.send(
      "POST", "/graphql/shared", bearer: scene.ann, body: "{", headers: ["Content-Type": "application/json"])
    #expect(broken.status == 400)
  }

  @Test("a refused document has 200 as JSON, and 400 by the media type of GraphQL")
  func mediaTypes() throws {
    let scene = try GraphQLScene()
    #expect(try scene.post("{ tsks { id } }", as: scene.ann).status == 200)
    let refused = try scene.post(
      "{ tsks { id } }", as: scene.ann, headers: ["Accept": "application/graphql-response+json"])
    #expect(refused.status == 400)
    #expect(refused.headers["Content-Type"] == "application/graphql-response+json; charset=utf-8")
    #expect(try scene.post("{ tasks { id } }", as: scene.ann, headers: ["Accept": "text/html"]).status == 406)
  }

  @Test("each bound refuses with its name, and the next request is answered")
  func bounds() throws {
    let scene = try GraphQLScene {
      $0.graphQL.limits.depth = 5
      $0.graphQL.limits.aliases = 3
      $0.graphQL.limits.complexity = 12
      $0.graphQL.limits.documentBytes = 400
      $0.graphQL.limits.rows = 3
    }
    let documents = [
      "depth":
        "{ tasks { owner { _linkingObjects(objectType: \"Task\", property: \"owner\") { ... on Task { owner { name } } } } } }",
      "aliases": "{ a: tasks { id } b: tasks { id } c: tasks { id } d: tasks { id } }",
      "complexity":
        "{ tasks { id title done owner { name } } members { name } x: tasks { id title done } y: tasks { id } }",
      "documentBytes": "{ tasks { id } } #" + String(repeating: "x", count: 400),
    ]
    for (bound, document) in documents {
      let text = try scene.ask(document, as: scene.ann)
      #expect(text.contains(#""code":"LIMIT_EXCEEDED","bound":"\#(bound)""#), "\(bound): \(text)")
    }
    _ = try scene.ask("mutation { createTasks(input: [{id: 1}, {id: 2}, {id: 3}]) { id } }", as: scene.ann)
    _ = try scene.ask("mutation { createTask(input: {id: 4}) { id } }", as: scene.ann)
    #expect(try scene.ask("{ tasks { id } }", as: scene.ann).contains(#""bound":"rows""#))
    #expect(try scene.ask("{ tasks(take: 1) { id } }", as: scene.ann) == #"{"data":{"tasks":[{"id":1}]}}"#)
  }

  @Test("the schema is answered as text, and DELETE forgets what is kept")
  func schema() throws {
    let scene = try GraphQLScene()
    let text = try scene.stage.send("GET", "/graphql/schema/shared", bearer: scene.ann).text
    #expect(text.contains("type Task {\n  id: Long!"))
    #expect(try scene.stage.send("DELETE", "/graphql/schema/shared", bearer: scene.ann).status == 204)
    #expect(try scene.stage.send("GET", "/graphql/schema/shared", bearer: scene.ann).text == text)
  }

  @Test("a realm that is made anew at a path is answered with its own schema")
  func madeAnew() throws {
    let scene = try GraphQLScene()
    #expect(try scene.ask("{ tasks { id } }", as: scene.ann) == #"{"data":{"tasks":[]}}"#)
    let deleted = try scene.stage.send("DELETE", "/api/openrealm/v1/realms?path=/shared", bearer: scene.root)
    #expect(deleted.status == 204)
    _ = try scene.stage.directory.recordRealm(scene.path, createdBy: "root", at: scene.stage.loop.wallTime)
    let text = try scene.ask("{ tasks { id } }", as: scene.root)
    #expect(text.contains(#"Cannot query field \"tasks\""#), "\(text)")
  }

  @Test("without GraphQL the routes are not there")
  func switchedOff() throws {
    let scene = try GraphQLScene { $0.graphQL.isEnabled = false }
    #expect(try scene.post("{ tasks { id } }", as: scene.ann).status == 404)
  }

  @Test("where no tokens are asked for everybody may do everything")
  func development() throws {
    let scene = try GraphQLScene { $0.graphQL.asksForTokens = false }
    let text = try scene.post("mutation { createTask(input: {id: 1}) { id } }", as: nil).text
    #expect(text.contains(#""createTask":{"id":1}"#))
    let foreign = try scene.post("{ tasks { id } }", as: nil, headers: ["Origin": "http://elsewhere.example"])
    #expect(foreign.status == 403, "a page of another site uses nobody's server")
  }
}
