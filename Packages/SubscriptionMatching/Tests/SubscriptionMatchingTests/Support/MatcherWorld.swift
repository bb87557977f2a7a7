import DataModel
import QueryLanguage
import SubscriptionMatching
import TestKit

/// Two matchers, one for each kind of report, beside the plans of their queries.
struct MatcherWorld {
  private var full: SubscriptionMatcher<Int>
  private var membership: SubscriptionMatcher<Int>
  private var plans: [Int: QueryPlan] = [:]
  private let schema: QuerySchema
  /// The number of matches seen.
  private(set) var found = 0

  init(_ schema: QuerySchema, seed: UInt64) {
    self.schema = schema
    full = SubscriptionMatcher(schema: schema, seed: seed)
    membership = SubscriptionMatcher(schema: schema, reporting: .membership, seed: seed)
  }

  /// Adds a query to both; one that the schema refuses is passed over.
  mutating func add(_ query: ParsedQuery, _ className: String, _ arguments: [QueryArgument], id: Int) {
    guard let plan = try? QueryPlan(query, className: className, schema: schema, arguments: arguments),
      (try? full.add(query, className: className, arguments: arguments, id: id)) != nil,
      (try? membership.add(query, className: className, arguments: arguments, id: id)) != nil
    else { return }
    plans[id] = plan
  }

  mutating func removeSome(using random: inout SeededGenerator) {
    for id in plans.keys.sorted() where random.oneIn(6) {
      full.remove(id)
      membership.remove(id)
      plans[id] = nil
    }
  }

  /// The first difference between the matchers' answers and evaluation; nil when there is none.
  mutating func check(_ commit: Commit) throws -> String? {
    let answers = (full: try full.match(commit.changes), membership: try membership.match(commit.changes))
    for (id, plan) in plans.sorted(by: { $0.key < $1.key }) {
      let expected = try Expectation(plan, commit)
      guard let cohort = full.cohort(of: id), let second = membership.cohort(of: id) else { return "\(id) is lost" }
      let isExact = full.evaluation(of: cohort) == .stateless
      let problem =
        isExact
        ? exactProblem(answers.full, cohort, expected) ?? membershipProblem(answers.membership, second, expected)
        : concernProblem(answers.full, cohort, expected) ?? concernProblem(answers.membership, second, expected, false)
      if let problem { return "\(plan.className): \(plan.text)\n\(problem)" }
    }
    return nil
  }

  private mutating func exactProblem(_ answer: CommitMatches, _ cohort: CohortID, _ expected: Expectation) -> String? {
    let match = answer.matches.first { $0.cohort == cohort }
    if match == nil { return expected.isEmpty ? nil : "no match, expected \(expected)" }
    found += 1
    let isRight =
      match?.entered == expected.entered && match?.left == expected.left && match?.updated == expected.updated
    return isRight ? nil : "\(match as Any), expected \(expected)"
  }

  private func membershipProblem(_ answer: CommitMatches, _ cohort: CohortID, _ expected: Expectation) -> String? {
    let match = answer.matches.first { $0.cohort == cohort }
    let isSilent = expected.entered.isEmpty && expected.left.isEmpty
    if match == nil { return isSilent ? nil : "no match, expected \(expected)" }
    let isRight = match?.entered == expected.entered && match?.left == expected.left && match?.updated == []
    return isRight ? nil : "\(match as Any), expected \(expected)"
  }

  /// A concern may be needless, but none may be missing.
  private func concernProblem(
    _ answer: CommitMatches, _ cohort: CohortID, _ expected: Expectation, _ needsContents: Bool = true
  ) -> String? {
    let concern = answer.concerns.first { $0.cohort == cohort }
    if expected.isOtherList, concern?.concernsMembership != true { return "\(concern as Any), expected \(expected)" }
    if needsContents, !expected.isEmpty, concern == nil { return "no concern, expected \(expected)" }
    return nil
  }
}
