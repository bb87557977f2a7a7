import ByteCoding
import Testing

@testable import GraphQL

/// The choice of an operation, mutations, waiting, bounds while running.
@Suite struct OperationTests {
  private let text = """
    type Query { a: Int slow(n: Int!): Int list: [Query!] }
    type Mutation { step(n: Int!): Int need(n: Int!): Int! }
    """

  private func service(_ change: (inout GraphQLLimits) -> Void = { _ in }) throws -> GraphQLService {
    var limits = GraphQLLimits()
    change(&limits)
    return GraphQLService(schema: try GraphQLSchema(parsing: text), limits: limits)
  }

  @Test(
    "the operation to run is the named one, or the only one",
    arguments: [
      ("{ a }", nil, #"{"data":{"a":1}}"#), ("query A { a } query B { b: a }", "B", #"{"data":{"b":1}}"#),
      (
        "query A { a } query B { b: a }", nil,
        #"{"errors":[{"message":"The document has 2 operations; name the one to run.","extensions":{"code":"BAD_REQUEST"}}]}"#
      ),
      (
        "query A { a }", "C",
        #"{"errors":[{"message":"The document has no operation \"C\".","extensions":{"code":"BAD_REQUEST"}}]}"#
      ),
      (
        "mutation { step(n: 1) }", nil,
        #"{"errors":[{"message":"Mutations are not available here.","extensions":{"code":"BAD_REQUEST"}}]}"#
      ),
    ] as [(String, String?, String)])
  func selection(document: String, name: String?, response: String) async throws {
    let root = StubObject("Query", ["a": .int(1)])
    let found = try await service().execute(
      GraphQLRequest(document, operationName: name), roots: GraphQLRoots(query: root))
    #expect(found.text == response)
  }

  private func mutations(_ journal: Journal) -> StubObject {
    StubObject(
      "Mutation",
      computed: ["step", "need"].reduce(into: [:]) { computed, name in
        computed[name] = { call in
          let number = call.arguments["n"]?.int ?? 0
          return .deferred {
            journal.add("begin \(number)")
            await Task.yield()
            journal.add("end \(number)")
            if number < 0 { throw Boom() }
            return .int(number)
          }
        }
      })
  }

  @Test("root fields of a mutation run one after the other, in the order of the document")
  func serial() async throws {
    let journal = Journal()
    let response = try await service().execute(
      GraphQLRequest("mutation { c: step(n: 3) a: step(n: 1) b: step(n: -2) d: step(n: 4) }"),
      roots: GraphQLRoots(query: StubObject("Query"), mutation: mutations(journal)))
    #expect(journal.all == ["begin 3", "end 3", "begin 1", "end 1", "begin -2", "end -2", "begin 4", "end 4"])
    #expect(response.text.hasPrefix(#"{"data":{"c":3,"a":1,"b":null,"d":4},"errors":[{"message":"boom""#))
  }

  @Test("after a failure that makes the data null no further field of a mutation runs")
  func serialStops() async throws {
    let journal = Journal()
    let response = try await service().execute(
      GraphQLRequest("mutation { a: step(n: 1) b: need(n: -2) c: step(n: 3) }"),
      roots: GraphQLRoots(query: StubObject("Query"), mutation: mutations(journal)))
    #expect(journal.all == ["begin 1", "end 1", "begin -2", "end -2"])
    #expect(response.text.hasPrefix(#"{"data":null,"errors":[{"message":"boom""#))
  }

  /// Two fields of a query that wait for each other, so the query can only end when both run at once.
  @Test("fields of a query that take time run side by side")
  func parallel() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let root = StubObject(
      "Query",
      computed: [
        "slow": { call in
          call.arguments["n"]?.int == 1
            ? .deferred {
              for await number in stream { return .int(Int64(number)) }
              return .null
            }
            : .deferred {
              continuation.yield(7)
              return .int(2)
            }
        }
      ])
    let response = try await service().execute(
      GraphQLRequest("{ x: slow(n: 1) y: slow(n: 2) }"), roots: GraphQLRoots(query: root))
    #expect(response.text == #"{"data":{"x":7,"y":2}}"#)
  }

  @Test("a field that takes time fails when there is no waiting")
  func synchronous() throws {
    let root = StubObject("Query", ["a": .int(1), "slow": .deferred { .int(1) }])
    let operation = try service().prepare(GraphQLRequest("{ a slow(n: 1) }"))
    #expect(
      operation.executeSynchronously(.object(root)).text.hasPrefix(
        #"{"data":{"a":1,"slow":null},"errors":[{"message":"This field cannot be answered without waiting.""#))
  }

  private func many(_ count: Int) -> StubObject {
    StubObject("Query", ["list": .list(Array(repeating: .object(StubObject("Query", ["a": .int(1)])), count: count))])
  }

  @Test("a response of too many objects is refused")
  func rows() throws {
    let operation = try service { $0.rows = 10 }.prepare(GraphQLRequest("{ list { a } }"))
    #expect(operation.executeSynchronously(.object(many(10))).errors == [])
    let response = operation.executeSynchronously(.object(many(11)))
    #expect(
      response.text
        == #"{"data":null,"errors":[{"message":"The response has more than 10 objects.","extensions":{"code":"LIMIT_EXCEEDED","bound":"rows","limit":10}}]}"#
    )
  }

  @Test("a response of too many bytes is refused")
  func responseBytes() throws {
    let operation = try service { $0.responseBytes = 100 }.prepare(GraphQLRequest("{ list { a } }"))
    let response = operation.executeSynchronously(.object(many(50)))
    #expect(response.errors.map(\.code) == ["LIMIT_EXCEEDED"])
    #expect(response.data == Array("null".utf8))
  }

  @Test("a budget ends a request, before columns and while objects are written")
  func budget() throws {
    let operation = try service().prepare(GraphQLRequest("{ list { a } }"))
    let late = ExecutionBudget { $0.bytes > 1_000 ? GraphQLError("too late") : nil }
    #expect(operation.executeSynchronously(.object(many(10)), budget: late).errors == [])
    #expect(operation.executeSynchronously(.object(many(5_000)), budget: late).errors == [GraphQLError("too late")])
    let never = ExecutionBudget { _ in GraphQLError("no time") }
    #expect(
      operation.executeSynchronously(.object(many(1)), budget: never).text
        == #"{"data":null,"errors":[{"message":"no time"}]}"#)
  }

  @Test("errors beyond the bound are counted, not listed")
  func errorCount() throws {
    let root = StubObject(
      "Query", ["list": .list(Array(repeating: .object(StubObject("Query", ["a": .failure(Boom())])), count: 150))])
    let operation = try service().prepare(GraphQLRequest("{ list { a } }"))
    let errors = operation.executeSynchronously(.object(root)).errors
    #expect(errors.count == 101)
    #expect(errors.last?.message == "50 more errors are not listed.")
  }

  @Test("documents that are asked for stay in the cache, others give way")
  func cache() throws {
    let cache = DocumentCache(capacity: 4)
    for number in 0..<100 {
      cache["\(number)"] = ValidDocument(try GraphQLDocument(parsing: "{ a\(number) }"))
      #expect(cache["0"] != nil)
      #expect(cache["\(number)"] != nil)
      #expect(cache.count <= 4)
    }
    #expect(cache["50"] == nil)
  }

  @Test("a document is parsed and validated once")
  func cachedDocument() throws {
    let service = try service()
    let first = try service.validDocument("{ a }")
    #expect(try service.validDocument("{ a }") === first)
    #expect(throws: GraphQLRequestError.self) { try service.validDocument("{ nothing }") }
  }

  @Test(
    "requests are read from JSON as GraphQL over HTTP says",
    arguments: [
      (#"{"query":"{ a }"}"#, nil), (#"{"query":"{ a }","operationName":null,"variables":{},"extensions":{}}"#, nil),
      ("[]", "A request is a JSON object."), (#"{"query":1}"#, "The request has no text in \"query\"."),
      (#"{"query":"","operationName":1}"#, "\"operationName\" is a text or null."),
      (#"{"query":"","variables":[]}"#, "\"variables\" is an object or null."),
      (#"{"query":"","extensions":"x"}"#, "\"extensions\" is an object or null."),
    ] as [(String, String?)])
  func json(text: String, message: String?) throws {
    let json = try JSONValue(parsing: text)
    do throws(GraphQLError) {
      #expect(try GraphQLRequest(json: json).query == "{ a }")
      #expect(message == nil)
    } catch { #expect(error.message == message) }
  }
}
