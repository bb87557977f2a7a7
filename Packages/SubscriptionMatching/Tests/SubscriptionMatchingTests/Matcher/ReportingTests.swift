import DataModel
import QueryLanguage
import SubscriptionMatching
import Testing

/// Which changes are reported, and what they cost.
@Suite("Reports") struct ReportingTests {
  /// A class whose last properties share a bit of the masks.
  private static let wide = ObjectSchema(
    className: "Wide", properties: (0..<80).map { Property(name: "p\($0)", type: .int) })

  private static func row(_ changes: [Int: Int64] = [:]) -> [Value] {
    (0..<80).map { .int(changes[$0] ?? 0) }
  }

  private static func matcher(
    _ reporting: SubscriptionMatcher<String>.Reporting, _ queries: [String]
  ) throws -> SubscriptionMatcher<String> {
    var matcher = SubscriptionMatcher<String>(
      schema: QuerySchema(Schema([wide])), reporting: reporting, seed: 1)
    for text in queries { try matcher.add(ParsedQuery(parsing: text), className: "Wide", id: text) }
    return matcher
  }

  private static func ids(_ matcher: SubscriptionMatcher<String>, _ matches: [CohortMatch]) -> [String] {
    matches.flatMap { matcher.subscribers(of: $0.cohort) }.sorted()
  }

  @Test("an update of a property that no query reads is reported inside, and not at all by membership")
  func unreadProperty() throws {
    let change = ObjectChange(
      className: "Wide", key: .int(1), before: Self.row(), after: Self.row([9: 1]), changedProperties: [9])
    var full = try Self.matcher(.membershipAndUpdates, ["p0 == 0", "p0 == 1", "p1 != 3"])
    let matches = try full.match([change]).matches
    #expect(Self.ids(full, matches) == ["p0 == 0", "p1 != 3"])
    #expect(matches.map(\.updated) == [[0], [0]])
    var narrow = try Self.matcher(.membership, ["p0 == 0", "p0 == 1", "p1 != 3"])
    #expect(try narrow.match([change]).isEmpty)
  }

  @Test("properties that share a bit are told apart by evaluation") func sharedBits() throws {
    let change = ObjectChange(
      className: "Wide", key: .int(1), before: Self.row(), after: Self.row([70: 1]), changedProperties: [70])
    var matcher = try Self.matcher(.membership, ["p70 == 1", "p70 == 0", "p71 == 0", "p71 == 1"])
    let matches = try matcher.match([change]).matches
    #expect(Self.ids(matcher, matches) == ["p70 == 0", "p70 == 1"])
    #expect(matches.map(\.entered) == [[0], []])
    #expect(matches.map(\.left) == [[], [0]])
  }

  @Test("each change of a commit is named by its position") func positions() throws {
    var matcher = try Self.matcher(.membershipAndUpdates, ["p0 > 5"])
    let changes = [
      ObjectChange(className: "Wide", key: .int(1), before: nil, after: Self.row([0: 6])),
      ObjectChange(className: "Nowhere", key: .int(1), before: nil, after: []),
      ObjectChange(className: "Wide", key: .int(2), before: Self.row([0: 6]), after: nil),
      ObjectChange(
        className: "Wide", key: .int(3), before: Self.row([0: 6]), after: Self.row([0: 7]), changedProperties: [0]),
      ObjectChange(className: "Wide", key: .int(4), before: nil, after: nil),
      ObjectChange(className: "Wide", key: .int(5), before: nil, after: Self.row([0: 8])),
    ]
    let match = try #require(try matcher.match(changes).matches.first)
    #expect(match.entered == [0, 5])
    #expect(match.left == [2])
    #expect(match.updated == [3])
  }

  @Test("values missing at the end of an object are null") func shortRows() throws {
    var matcher = try Self.matcher(.membership, ["p79 == null", "p0 == null"])
    let change = ObjectChange(className: "Wide", key: .int(1), before: nil, after: [])
    // The properties are not optional, so only a caller's short row makes them null.
    #expect(try matcher.match([change]).matches.count == 2)
  }

  @Test("positions that the class does not have are harmless") func hostilePositions() throws {
    var matcher = try Self.matcher(.membershipAndUpdates, ["p0 == 0"])
    let change = ObjectChange(
      className: "Wide", key: .int(1), before: Self.row(), after: Self.row(), changedProperties: [-1, .max, .min])
    #expect(try matcher.match([change]).matches.map(\.updated) == [[0]])
  }

  @Test("conditions that no object can meet have no candidates") func impossible() throws {
    var matcher = try Self.matcher(.membershipAndUpdates, ["FALSEPREDICATE", "p0 == 1 AND p0 == 2 AND p1 IN {}"])
    let change = ObjectChange(className: "Wide", key: .int(1), before: nil, after: Self.row([0: 1]))
    #expect(try matcher.match([change]).isEmpty)
  }
}
