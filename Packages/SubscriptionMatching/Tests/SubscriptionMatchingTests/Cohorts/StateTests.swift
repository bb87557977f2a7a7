import DataModel
import QueryLanguage
import SubscriptionMatching
import Testing

/// Queries that no single object decides.
@Suite("Queries with state") struct StateTests {
  private static let schema = QuerySchema(
    Schema([
      ObjectSchema(
        className: "Person", primaryKey: "id",
        properties: [
          Property(name: "id", type: .int), Property(name: "name", type: .string), Property(name: "age", type: .int),
          Property(name: "tags", type: .string, collection: .list),
          Property(name: "dog", type: .object, objectClassName: "Dog", isOptional: true),
        ]),
      ObjectSchema(
        className: "Dog", primaryKey: "name",
        properties: [Property(name: "name", type: .string), Property(name: "age", type: .int)]),
      ObjectSchema(className: "Stone", properties: [Property(name: "weight", type: .int)]),
    ]))

  @Test(
    "a query says why it needs state",
    arguments: [
      ("age > 3", nil), ("age > 3 SORT(age ASC)", nil), ("age > 3 SORT(age ASC) LIMIT(2)", .limit),
      ("age > 3 LIMIT(2)", .limit), ("age > 3 DISTINCT(name)", .distinct), ("dog.name == 'Rex'", .links),
      ("dog == null", .links), ("tags == 'a'", .collections), ("tags.@count > 2", .collections),
      ("@links.@count == 0", .links), ("age > 3 SORT(dog.name ASC)", nil),
    ] as [(String, StateReason?)])
  func reasons(_ text: String, _ reason: StateReason?) throws {
    var matcher = SubscriptionMatcher<Int>(schema: Self.schema, seed: 1)
    let added = try matcher.add(ParsedQuery(parsing: text), className: "Person", id: 1)
    #expect(added.evaluation == reason.map { .needsState($0) } ?? .stateless)
    #expect(matcher.evaluation(of: added.cohort) == added.evaluation)
  }

  @Test("an INCLUDE needs state") func includes() throws {
    var matcher = SubscriptionMatcher<Int>(schema: Self.schema, seed: 1)
    let query = try ParsedQuery(parsing: "age > 3 INCLUDE(@links.Person.dog)")
    #expect(try matcher.add(query, className: "Dog", id: 1).evaluation == .needsState(.includes))
    // An object that is sent along is shown whole.
    #expect(try matcher.match([Self.update("Person", [1])]).concerns.map(\.concernsMembership) == [false])
  }

  private static func update(_ className: String, _ changed: [Int]) -> ObjectChange {
    ObjectChange(className: className, key: .int(1), before: [], after: [], changedProperties: changed)
  }

  /// The query, the change, and the concern: true for membership, false for contents, nil for none.
  @Test(
    "a commit concerns a query when it writes what the query reads",
    arguments: [
      ("dog.name == 'Rex'", update("Dog", [0]), true), ("dog.name == 'Rex'", update("Dog", [1]), nil),
      ("dog.name == 'Rex'", update("Person", [4]), true), ("dog.name == 'Rex'", update("Person", [2]), false),
      ("dog.name == 'Rex'", update("Stone", [0]), nil), ("dog == null", update("Dog", [0]), nil),
      ("dog == null", ObjectChange(className: "Dog", key: .string("Rex"), before: [], after: nil), true),
      ("dog == null", ObjectChange(className: "Dog", key: .string("Rex"), before: nil, after: nil), nil),
      ("age > 3 LIMIT(2)", update("Person", [2]), true), ("age > 3 LIMIT(2)", update("Person", [1]), false),
      ("age > 3 LIMIT(2)", ObjectChange(className: "Person", key: .int(1), before: nil, after: []), true),
      ("age > 3 SORT(name ASC) LIMIT(2)", update("Person", [1]), true),
      ("age > 3 SORT(dog.age ASC) LIMIT(2)", update("Dog", [1]), true),
      ("@links.@count == 0", update("Stone", [0]), true), ("tags == 'a'", update("Person", [3]), true),
    ] as [(String, ObjectChange, Bool?)])
  func concerns(_ text: String, _ change: ObjectChange, _ membership: Bool?) throws {
    var full = SubscriptionMatcher<Int>(schema: Self.schema, seed: 1)
    var narrow = SubscriptionMatcher<Int>(schema: Self.schema, reporting: .membership, seed: 1)
    try full.add(ParsedQuery(parsing: text), className: "Person", id: 1)
    try narrow.add(ParsedQuery(parsing: text), className: "Person", id: 1)
    #expect(try full.match([change]).concerns.map(\.concernsMembership) == (membership.map { [$0] } ?? []))
    #expect(try narrow.match([change]).concerns.map(\.concernsMembership) == (membership == true ? [true] : []))
    full.remove(1)
    #expect(try full.match([change]).isEmpty)
  }
}
