import Testing

@testable import GraphQL

@Suite struct SubscriptionTests {
  private struct Numbers: SubscriptionRoot {
    var events: [ResolvedValue]
    var failure: (any Error)?
    var refusal: (any Error)?

    func events(of field: FieldCall) async throws -> AsyncThrowingStream<any ObjectBatch, any Error> {
      if let refusal { throw refusal }
      let (events, failure) = (events, failure)
      return AsyncThrowingStream { continuation in
        for value in events { continuation.yield(.object(StubObject("Subscription", [field.name: value]))) }
        continuation.finish(throwing: failure)
      }
    }
  }

  private func service() throws -> GraphQLService {
    GraphQLService(
      schema: try GraphQLSchema(parsing: "type Query { a: Int } type Subscription { number(from: Int = 0): Int! }"))
  }

  @Test("every event makes one response, and the stream ends with the events")
  func responses() async throws {
    let answer = try await service().subscribe(
      GraphQLRequest("subscription { n: number(from: 1) }"),
      root: Numbers(events: [.int(1), .null, .int(3)], failure: Boom()))
    guard case .responses(let responses) = answer else {
      Issue.record("\(answer)")
      return
    }
    var texts: [String] = []
    await #expect(throws: Boom.self) { for try await response in responses { texts.append(response.text) } }
    #expect(texts.count == 3)
    #expect(texts.first == #"{"data":{"n":1}}"#)
    #expect(texts.dropFirst().first?.hasPrefix(#"{"data":null,"errors":[{"message":"\"Subscription.number\""#) == true)
    #expect(texts.last == #"{"data":{"n":3}}"#)
  }

  @Test("a source that cannot be made is the only response")
  func refusal() async throws {
    let answer = try await service().subscribe(
      GraphQLRequest("subscription { n: number }"), root: Numbers(events: [], refusal: GraphQLError("no", code: "NO")))
    guard case .refused(let response) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(
      response.text
        == #"{"errors":[{"message":"no","locations":[{"line":1,"column":16}],"path":["n"],"extensions":{"code":"NO"}}]}"#
    )
  }

  @Test(
    "other operations are refused, and so is a subscription where a response is expected",
    arguments: [
      "{ a }", "subscription { nothing }", "subscription {", "subscription ($n: Int!) { number(from: $n) }",
    ])
  func others(document: String) async throws {
    let answer = try await service().subscribe(GraphQLRequest(document), root: Numbers(events: [.int(1)]))
    guard case .refused(let response) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(response.data == nil)
    #expect(response.errors.isEmpty == false)
    let execution = try await service().execute(
      GraphQLRequest("subscription { number }"), roots: GraphQLRoots(query: StubObject("Query")))
    #expect(execution.errors.first?.message == "A subscription needs a connection that stays open.")
  }
}
