import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// Each operator is read from its spelling, drawn by random queries, and has a corner case.
@Suite("Operators") struct OperatorCoverageTests {
  @Test("the spelling of each operator is read as that operator", arguments: ComparisonOperation.allCases)
  func spellingsAreRead(operation: ComparisonOperation) throws {
    let read = try ParsedQuery(parsing: "a \(operation.rawValue) b")
    #expect(Self.operations(of: read.predicate) == [operation])
  }

  @Test("random queries contain each operator but TEXT, and the resolver accepts it")
  func operatorsAreDrawn() throws {
    let schema = try #require(VectorFile.all().first).schema
    var accepted: Set<ComparisonOperation> = []
    for seed in UInt64(0)..<2000 {
      var generator = QueryGenerator(schema.schema, random: SeededGenerator(seed: seed))
      let className = schema.schema.objectSchema[Int(seed % 6)].className
      let query = generator.query(className)
      guard (try? QueryPlan(query, className: className, schema: schema)) != nil else { continue }
      accepted.formUnion(Self.operations(of: query.predicate))
    }
    let missing = Set(ComparisonOperation.allCases).subtracting(accepted)
    #expect(missing == [.text], "QueryGenerator: \(missing.map(\.rawValue).sorted())")
  }

  @Test("a corner case contains each operator") func operatorsHaveCorners() {
    let cases = CornerCaseTests.all.joined()
    var seen: Set<ComparisonOperation> = []
    for text in cases.map(\.text) {
      guard let query = try? ParsedQuery(parsing: text) else { continue }
      seen.formUnion(Self.operations(of: query.predicate))
    }
    let missing = Set(ComparisonOperation.allCases).subtracting(seen)
    #expect(missing.isEmpty, "CornerCases: \(missing.map(\.rawValue).sorted())")
  }

  /// The operators of the comparisons of a predicate, without those inside of subqueries.
  private static func operations(of predicate: QueryPredicate) -> Set<ComparisonOperation> {
    switch predicate {
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion(operations(of: $1)) }
    case .not(let inner): operations(of: inner)
    case .comparison(let node): [node.operation]
    case .always, .between, .geoWithin: []
    }
  }
}
