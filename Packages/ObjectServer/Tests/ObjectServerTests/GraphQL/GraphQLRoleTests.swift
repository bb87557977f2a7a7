@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
import TestKit
import Testing
import Transport

@Suite("GraphQL in a realm with roles")
struct GraphQLRoleTests {
  @Test("an app's realm without classes answers, and has nothing to follow")
  func emptyAppRealm() throws {
    let stage = try Stage(
      histories: TestStorage.histories(.memory(prefix: "empty"), random: RandomSource(SeededGenerator(seed: 3))))
    _ = try stage.directory.recordRealm(.ofApps, createdBy: "root", at: stage.loop.wallTime)
    let body = #"{"query":"{ queryBasedSubscriptions { name } __schema { subscriptionType { name } } }"}"#
    let answer = try stage.send(
      "POST", "/graphql/default", bearer: try stage.user("ann").token, body: body,
      headers: ["Content-Type": "application/json"])
    #expect(answer.text == #"{"data":{"queryBasedSubscriptions":[],"__schema":{"subscriptionType":null}}}"#)
  }

  @Test("objects are answered to those whose roles may read them, in every way to ask")
  func reading() throws {
    let scene = try GraphQLScene()
    let names = { (bearer: String, query: String) in try scene.ask(query, at: "/default", as: bearer) }
    #expect(
      try names(scene.ann, "{ rooms(sortBy: \"name\") { name } }")
        == #"{"data":{"rooms":[{"name":"lobby"},{"name":"secret"}]}}"#)
    #expect(try names(scene.ben, "{ rooms { name } }") == #"{"data":{"rooms":[{"name":"lobby"}]}}"#)
    #expect(try names(scene.ben, "{ room(name: \"secret\") { name } }") == #"{"data":{"room":null}}"#)
    #expect(
      try names(scene.ben, "{ rooms(query: \"TRUEPREDICATE SORT(name DESC) LIMIT(1)\") { name } }")
        == #"{"data":{"rooms":[{"name":"lobby"}]}}"#, "what may not be read counts in no limit")
  }

  @Test("a class that may not be read is in no schema, no introspection and no suggestion")
  func hiddenClass() throws {
    let scene = try GraphQLScene()
    let introspection = "{ __schema { types { name } } }"
    #expect(try scene.ask(introspection, at: "/default", as: scene.root).contains("Audit"))
    #expect(try !scene.ask(introspection, at: "/default", as: scene.ben).contains("Audit"))
    let guess = try scene.ask("{ audit { id } }", at: "/default", as: scene.ben)
    #expect(!guess.contains("audits"), "\(guess)")
    #expect(try scene.ask("{ audits { id } }", at: "/default", as: scene.root) == #"{"data":{"audits":[]}}"#)
  }

  @Test("a refused write names the action and the rule, and changes nothing")
  func writing() throws {
    let scene = try GraphQLScene()
    let refused = try scene.ask(
      "mutation { createRoom(input: {name: \"lobby\", topic: \"mine\"}, updatePolicy: MODIFIED) { topic } }",
      at: "/default", as: scene.ben)
    #expect(refused.contains("FORBIDDEN"), "\(refused)")
    #expect(refused.contains("changing an object of class 'Room'"), "\(refused)")
    #expect(
      try scene.ask("{ room(name: \"lobby\") { topic } }", at: "/default", as: scene.ben)
        == #"{"data":{"room":{"topic":""}}}"#)
    let hidden = try scene.ask("mutation { deleteRoom(name: \"secret\") }", at: "/default", as: scene.ben)
    #expect(hidden.contains(#""deleteRoom":false"#), "a refusal would tell that the room is there: \(hidden)")
    let taken = try scene.ask(
      "mutation { createRoom(input: {name: \"secret\", topic: \"ours\"}, updatePolicy: MODIFIED) { topic } }",
      at: "/default", as: scene.ann)
    #expect(taken.contains(#""createRoom":{"topic":"ours"}"#), "\(taken)")
  }

  @Test("a mutation that changes nothing shows no object that may not be read")
  func emptyMutations() throws {
    let scene = try GraphQLScene()
    _ = try scene.ask(
      "mutation { createRoom(input: {name: \"secret\", topic: \"gold\"}, updatePolicy: MODIFIED) { topic } }",
      at: "/default", as: scene.ann)
    for mutation in [
      "createRoom(input: {name: \"secret\"}, updatePolicy: MODIFIED) { topic }",
      "createRooms(input: [{name: \"secret\"}], updatePolicy: MODIFIED) { topic }",
      "editRoom(name: \"secret\", edits: []) { topic }",
    ] {
      let answer = try scene.ask("mutation { \(mutation) }", at: "/default", as: scene.ben)
      #expect(!answer.contains("gold"), "\(answer)")
    }
  }

  @Test("named queries of a realm that is opened by queries are kept, listed and deleted")
  func namedQueries() throws {
    let scene = try GraphQLScene()
    let made = try scene.ask(
      "mutation { createRoomSubscription(query: \"name == $0\", arguments: [\"lobby\"], name: \"mine\") { name } }",
      at: "/default", as: scene.ben)
    #expect(made.contains(#""createRoomSubscription":[{"name":"lobby"}]"#), "\(made)")
    #expect(
      try scene.ask("{ queryBasedSubscriptions { name objectType query } }", at: "/default", as: scene.ben)
        == #"{"data":{"queryBasedSubscriptions":[{"name":"mine","objectType":"Room","query":"name == \"lobby\""}]}}"#)
    #expect(
      try scene.ask("{ queryBasedSubscriptions { name } }", at: "/default", as: scene.ann)
        == #"{"data":{"queryBasedSubscriptions":[]}}"#)
    let gone = try scene.ask("mutation { deleteQueryBasedSubscription(name: \"mine\") }", at: "/default", as: scene.ben)
    #expect(gone.contains(#""deleteQueryBasedSubscription":true"#))
  }
}
