import DataModel
import QueryLanguage
import SubscriptionMatching
import TestKit
import Testing

/// Which queries are one cohort, and what becomes of cohorts when subscriptions come and go.
@Suite("Cohorts") struct CohortTests {
  private struct Pair: CustomStringConvertible {
    var first: String
    var firstArguments: [QueryArgument] = []
    var second: String
    var secondArguments: [QueryArgument] = []
    var description: String { "\(first) | \(second)" }
  }

  private static let same: [Pair] = [
    Pair(first: "int == 1 AND other == 2", second: "other == 2 AND int == 1"),
    Pair(first: "int == 1 OR (other == 2 AND bool == true)", second: "(bool == true && other = 2) || int == 1"),
    Pair(first: "int == 1 AND int == 1", second: "int == 1"),
    Pair(first: "int == $0", firstArguments: [1], second: "int == 1"),
    Pair(first: "int == $1", firstArguments: [9, 1], second: "int == $0", secondArguments: [1]),
    Pair(first: "int == 1 SORT(other ASC)", second: "int == 1 SORT(int DESC)"),
    Pair(first: "NOT (int == 1 AND other == 2)", second: "!(other == 2 and int == 1)"),
    Pair(first: "int == 1 LIMIT(3)", second: "int == $0 LIMIT(3)", secondArguments: [1]),
  ]

  private static let different: [Pair] = [
    Pair(first: "int == 1", second: "int == 2"),
    Pair(first: "int == 1 AND other == 2", second: "int == 1 OR other == 2"),
    Pair(first: "int == 1 AND (other == 2 OR other == 3)", second: "(int == 1 AND other == 2) OR other == 3"),
    Pair(
      first: "text == $0", firstArguments: [.value(.string("é"))], second: "text == $0",
      secondArguments: [.value(.string("e\u{301}"))]),
    Pair(
      first: "decimal == $0", firstArguments: [.value(.double(0.5))], second: "decimal == $0",
      secondArguments: [.value(.float(0.5))]),
    Pair(
      first: "mixed == $0", firstArguments: [.value(.double(0.5))], second: "mixed == $0",
      secondArguments: [.value(Decimal128(validating: "0.5").map { .decimal128($0) } ?? .null)]),
    Pair(
      first: "1 / double > $0", firstArguments: [.value(.double(0))], second: "1 / double > $0",
      secondArguments: [.value(.double(-0.0))]),
    Pair(first: "double == nan", second: "double == nan"),
    Pair(first: "text == 'a'", second: "text ==[c] 'a'"),
    Pair(first: "int == 1 LIMIT(3)", second: "int == 1 LIMIT(4)"),
    Pair(first: "int == 1 SORT(other ASC) LIMIT(3)", second: "int == 1 SORT(other DESC) LIMIT(3)"),
    Pair(first: "NOT int == 1", second: "int == 1"),
  ]

  private func matcher(_ pair: Pair) throws -> SubscriptionMatcher<Int> {
    var matcher = SubscriptionMatcher<Int>(schema: ValuePool.schema, seed: 1)
    try matcher.add(ParsedQuery(parsing: pair.first), className: "Thing", arguments: pair.firstArguments, id: 1)
    try matcher.add(ParsedQuery(parsing: pair.second), className: "Thing", arguments: pair.secondArguments, id: 2)
    return matcher
  }

  @Test("queries that say the same are one cohort", arguments: same) private func shared(_ pair: Pair) throws {
    let matcher = try matcher(pair)
    #expect(matcher.cohort(of: 1) == matcher.cohort(of: 2))
    #expect(matcher.cohortCount == 1)
    #expect(matcher.count == 2)
  }

  @Test("queries that may differ are two cohorts", arguments: different) private func apart(_ pair: Pair) throws {
    var matcher = try matcher(pair)
    #expect(matcher.cohort(of: 1) != matcher.cohort(of: 2))
    #expect(matcher.cohortCount == 2)
    matcher.remove(1)
    matcher.remove(2)
    #expect(matcher.cohortCount == 0)
  }

  @Test("equal queries over different classes are two cohorts") func classes() throws {
    let classes = ["A", "B"].map { ObjectSchema(className: $0, properties: [Property(name: "n", type: .int)]) }
    var matcher = SubscriptionMatcher<String>(schema: QuerySchema(Schema(classes)), seed: 1)
    let query = try ParsedQuery(parsing: "n == 1")
    try matcher.add(query, className: "A", id: "a")
    try matcher.add(query, className: "B", id: "b")
    #expect(matcher.cohortCount == 2)
  }

  @Test("ten thousand subscriptions with one query are one match") func crowd() throws {
    var matcher = SubscriptionMatcher<Int>(schema: ValuePool.schema, seed: 1)
    let query = try ParsedQuery(parsing: "int == 1")
    for id in 0..<10_000 { try matcher.add(query, className: "Thing", id: id) }
    let change = ObjectChange(className: "Thing", key: .int(5), before: nil, after: [.int(5), .int(1)])
    let matches = try matcher.match([change]).matches
    #expect(matches.count == 1)
    let cohort = try #require(matches.first?.cohort)
    #expect(matcher.subscribers(of: cohort).count == 10_000)
    for id in 0..<9_999 { matcher.remove(id) }
    #expect(matcher.subscribers(of: cohort) == [9_999])
    let removed = [matcher.remove(9_999), matcher.remove(9_999)]
    #expect(removed == [true, false])
    #expect(matcher.cohortCount == 0)
    #expect(matcher.evaluation(of: cohort) == nil)
    #expect(try matcher.match([change]).isEmpty)
  }

  @Test("an id that is added again has the new query only, and keeps the old one when that is refused")
  func replaced() throws {
    var matcher = SubscriptionMatcher<Int>(schema: ValuePool.schema, seed: 1)
    try matcher.add(ParsedQuery(parsing: "int == 1"), className: "Thing", id: 7)
    let first = matcher.cohort(of: 7)
    #expect(throws: QueryError.self) {
      try matcher.add(ParsedQuery(parsing: "nothing == 1"), className: "Thing", id: 7)
    }
    #expect(matcher.cohort(of: 7) == first)
    try matcher.add(ParsedQuery(parsing: "int == 2"), className: "Thing", id: 7)
    let old = ObjectChange(className: "Thing", key: .int(5), before: nil, after: [.int(5), .int(1)])
    let new = ObjectChange(className: "Thing", key: .int(6), before: nil, after: [.int(6), .int(2)])
    #expect(try matcher.match([old, new]).matches.map(\.entered) == [[1]])
    #expect(matcher.count == 1)
  }
}
