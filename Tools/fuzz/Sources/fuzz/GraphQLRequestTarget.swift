import DataModel
import GraphQL
import RealmGraphQL
import RecordStore

/// Requests to a realm, damaged: queries, mutations and introspection, under small bounds. No trap, and no response above them.
struct GraphQLRequestTarget: Sendable {
  static let responseBytes = 20_000
  private let file: RealmFile?
  private let graphQL: RealmGraphQL?

  init() {
    var limits = GraphQLLimits()
    (limits.rows, limits.responseBytes, limits.depth, limits.complexity) = (200, Self.responseBytes, 12, 400)
    file = try? RealmFile.open(.inMemory(name: "fuzz-graphql"))
    graphQL = try? file.flatMap { file in
      try file.edit { try $0.addClasses(Self.schema) }
      return try RealmGraphQL(schema: try file.contents().schema, limits: limits)
    }
  }

  static let schema = Schema([
    ObjectSchema(
      className: "Person", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "name", type: .string),
        Property(name: "born", type: .date, isOptional: true), Property(name: "data", type: .data),
        Property(name: "mixed", type: .any), Property(name: "tags", type: .string, collection: .set),
        Property(name: "scores", type: .double, collection: .dictionary),
        Property(name: "dogs", type: .object, collection: .list, objectClassName: "Dog"),
      ]),
    ObjectSchema(
      className: "Dog",
      properties: [
        Property(name: "name", type: .string), Property(name: "id", type: .UUID),
        Property(name: "owner", type: .object, objectClassName: "Person", isOptional: true),
      ]),
  ])

  static let corpus: [String] = [
    "{ persons(query: \"id > $0 AND name LIKE '*a*' SORT(name DESC) LIMIT(3)\", arguments: [1], skip: 1, take: 2) { id name born data mixed tags scores { key value } dogs { name } } }",
    "query Q($id: Int!, $m: [Mixed] = [1, {a: 2}]) { person(id: $id) { ...F } persons(query: \"ANY dogs.name == $0\", arguments: $m) { id } } fragment F on Person { id dogs(sortBy: \"name\", descending: true) { _key owner { id } } }",
    "mutation { createPerson(input: {id: 1, name: \"a\", born: \"2026-01-01T00:00:00Z\", data: \"AAEC\", mixed: [1, {b: null}], tags: [\"x\"], scores: [{key: \"k\", value: 1.5}], dogs: [{name: \"d\", owner: {id: 1}}]}, updatePolicy: ALL) { id dogs { name } } }",
    "mutation { a: editPerson(id: 1, edits: [{dogs: {insert: [{name: \"e\"}], at: 0}}, {tags: {add: [\"y\"]}}, {scores: {remove: [\"k\"]}}]) { tags } b: deleteDogs(query: \"name == 'd'\") c: deletePerson(id: 2) }",
    "{ dogs { _linkingObjects(objectType: \"Person\", property: \"dogs\", take: 1) { ... on Person { id } __typename } } }",
    "{ persons(after: 3, take: 1) { id } __schema { types { name fields { name args { name } } } } }",
    "mutation { createPersons(input: [{id: 2}, {id: 3}, {id: -9223372036854775808}], updatePolicy: MODIFIED) { id } }",
  ]

  func feed(_ bytes: [UInt8]) {
    guard let file, let graphQL else { preconditionFailure("the realm cannot be made") }
    let answer = graphQL.execute(GraphQLRequest(String(decoding: bytes, as: UTF8.self)), LocalRealm(file))
    precondition((answer.data?.count ?? 0) <= Self.responseBytes + 4_096, "a response keeps to its bound")
    precondition(answer.data != nil || !answer.errors.isEmpty, "a refusal has a reason")
    if let contents = try? file.contents(), contents.count(of: "Person") + contents.count(of: "Dog") > 150 {
      for document in ["mutation { deletePersons }", "mutation { deleteDogs }"] {
        _ = graphQL.execute(GraphQLRequest(document), LocalRealm(file))
      }
    }
  }

  static let target: FuzzTarget = {
    let realm = GraphQLRequestTarget()
    return FuzzTarget(
      name: "graphql-requests", corpus: { corpus.map { Array($0.utf8) } }, feed: { realm.feed($0) })
  }()
}
