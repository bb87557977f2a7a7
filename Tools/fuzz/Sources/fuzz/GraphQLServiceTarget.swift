import ByteCoding
import ChangesetOT
import DataModel
import GraphQL
import RealmGraphQL
import RecordStore
import Synchronization
import TestKit

/// Damaged requests to a realm of a server, as JSON bodies: queries and mutations of an administrator and of a user whom roles bound, and
/// subscriptions that are brought up to date after each mutation. No trap, no response above the bounds, and nothing of a class
/// that the user may not read.
final class GraphQLServiceTarget: Sendable {
  private static let secret = "not-for-ben"
  private static let subscriptions: UInt64 = 8
  private let history: ServerHistory
  private let cache: RealmGraphQLCache
  private let live: LiveQueries
  private let next = Mutex<UInt64>(0)
  private let users = [
    ViewAccess(user: "root", isAdministrator: true), ViewAccess(user: "ben", isAdministrator: false),
  ]

  init() throws {
    var limits = GraphQLLimits()
    (limits.rows, limits.responseBytes) = (200, GraphQLRequestTarget.responseBytes)
    (limits.depth, limits.complexity) = (12, 400)
    var random = SeededGenerator(seed: 1)
    history = try ServerHistory(RealmFile.open(.inMemory(name: "fuzz-graphql-service")), random: &random)
    try history.file.edit { editor in
      try editor.addClasses(GraphQLRequestTarget.schema)
      try editor.addClasses(
        Schema([
          ObjectSchema(className: "Secret", primaryKey: "id", properties: [Property(name: "id", type: .string)])
        ]))
      try editor.openPermissions()
      try editor.connect("ben")
      try editor.create(ObjectReference(className: "Secret", key: .string(Self.secret)))
      try editor.set(["permissions": .list([])], of: ObjectReference(className: "__Class", key: .string("Secret")))
    }
    cache = RealmGraphQLCache(limits: limits)
    live = LiveQueries(cache)
  }

  /// The corpus of requests as bodies, each also as a subscription where it is a query.
  static let corpus: [[UInt8]] = {
    var bodies = GraphQLRequestTarget.corpus.map { JSONValue.object([("query", .string($0))]) }
    for selection in [
      "persons(query: \"id > 0\") { id dogs { name } }", "dogs(sortBy: \"name\", take: 3) { name }",
      "personsChanges(query: \"id > 1\", resumeFrom: \"x\") { token deletions insertions { position object { id } } }",
      "secrets { id }",
    ] {
      bodies.append(.object([("query", .string("subscription S { \(selection) }")), ("operationName", .string("S"))]))
    }
    bodies.append(
      .object([
        ("query", .string("query A($id: Long!) { person(id: $id) { ...F } } fragment F on Person { id name }")),
        ("operationName", .string("A")), ("variables", .object([("id", .string("9007199254740993"))])),
        ("extensions", .object([])),
      ]))
    return bodies.map { Array($0.text.utf8) }
  }()

  func feed(_ bytes: [UInt8]) throws {
    guard let json = try? JSONValue(parsing: bytes), let request = try? GraphQLRequest(json: json) else { return }
    for user in users {
      let store = ServedRealm(history, user)
      let graphQL = try cache.graphQL(for: try store.read())
      let answer: [UInt8]
      if let operation = try? graphQL.service.prepare(request), operation.kind == .subscription {
        answer = try subscribe(request, user)
      } else {
        answer = graphQL.execute(request, store).bytes
      }
      check(answer, of: user)
      for delivery in try live.update(history) { check(delivery.response, of: nil) }
    }
    let contents = try history.file.contents()
    if contents.count(of: "Person") + contents.count(of: "Dog") > 150 {
      let store = ServedRealm(history, users[0])
      for document in ["mutation { deletePersons }", "mutation { deleteDogs }"] {
        _ = try cache.graphQL(for: try store.read()).execute(GraphQLRequest(document), store)
      }
    }
  }

  private func subscribe(_ request: GraphQLRequest, _ user: ViewAccess) throws -> [UInt8] {
    let id = next.withLock { next in
      next += 1
      return next % Self.subscriptions
    }
    live.remove(id)
    let admission = try live.add(id, request, for: user, in: history)
    return admission.refusal == nil ? admission.deliveries.last?.response ?? [] : []
  }

  private func check(_ response: [UInt8], of user: ViewAccess?) {
    precondition(
      response.count <= GraphQLRequestTarget.responseBytes + 100_000, "a response keeps to its bound, errors included")
    precondition(
      user?.isAdministrator != false || !String(decoding: response, as: UTF8.self).contains(Self.secret),
      "nobody is told of what he may not read")
  }

  static let target = FuzzTarget(
    name: "graphql-service", corpus: { corpus },
    feed: { bytes in
      do { try realm.get().feed(bytes) } catch { preconditionFailure("the realm fails: \(error)") }
    })

  private static let realm = Result { try GraphQLServiceTarget() }
}
