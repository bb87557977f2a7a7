import DataModel
import QueryLanguage
import SubscriptionMatching
import TestKit

/// A commit of one changed task against many queries, beside an evaluation of every query for the change.
let subscriptionMatchBenchmarks = Suite(prefix: "subscriptions.match-") { report in
  func owners(_ count: Int) throws -> TaskQueries {
    try TaskQueries((0..<count).map { ("owner == $0", [.value(.string("user \($0)"))]) })
  }
  if report.wants("subscriptions.match-equality") {
    let (few, many, most) = (try owners(10), try owners(10_000), try owners(100_000))
    let base = try few.secondsPerCommit()
    let time = try many.secondsPerCommit()
    report.row(
      "subscriptions.match-equality-10k", "one of 10,000 equalities, beside one of 10", ours: time, rival: base,
      unit: "s", .costAtMost(2))
    report.row(
      "subscriptions.match-equality-100k", "one of 100,000 equalities, beside one of 10",
      ours: try most.secondsPerCommit(), rival: base, unit: "s", .costAtMost(3))
    report.row(
      "subscriptions.match-equality-all", "one of 10,000 equalities, beside evaluating all", ours: time,
      rival: try many.secondsPerEvaluation(), unit: "s", .gainAtLeast(100))
  }
  if report.wants("subscriptions.match-ranges") {
    func spans(_ count: Int) throws -> TaskQueries {
      let width = Int64(TaskQueries.dueDates / count)
      return try TaskQueries(
        (0..<Int64(count)).map {
          ("due >= $0 AND due < $1", [.value(.int($0 * width)), .value(.int($0 * width + width))])
        })
    }
    report.row(
      "subscriptions.match-ranges-10k", "one of 10,000 ranges, beside one of 10",
      ours: try spans(10_000).secondsPerCommit(), rival: try spans(10).secondsPerCommit(), unit: "s", .costAtMost(4))
  }
  if report.wants("subscriptions.match-contains") {
    let queries = try TaskQueries((0..<10_000).map { ("title CONTAINS $0", [.value(.string("word \($0)."))]) })
    report.row(
      "subscriptions.match-contains-10k", "10,000 CONTAINS, beside evaluating all",
      ours: try queries.secondsPerCommit(rounds: 20), rival: try queries.secondsPerEvaluation(), unit: "s",
      .atMost(0.010))
  }
  if report.wants("subscriptions.match-hot") {
    let queries = try TaskQueries(
      (0..<100).flatMap { user -> [TaskQueries.Text] in
        let name = QueryArgument.value(.string("user \(user)"))
        return [
          ("owner == $0 AND done == false", [name]), ("assignee == $0", [name]),
          ("project == $0 AND due >= $1", [.value(.int(Int64(user % 20))), .value(.int(Int64(user * 100)))]),
        ]
      })
    let time = try queries.secondsPerCommit()
    report.row(
      "subscriptions.match-hot", "100 users with 3 queries each, beside evaluating all", ours: time,
      rival: try queries.secondsPerEvaluation(), unit: "s", .atMost(0.001))
    report.row("subscriptions.match-hot-rate", "changes matched per second", ours: 1 / time, rival: nil, unit: "/s")
  }
  if report.wants("subscriptions.match-cohort") {
    let one = try TaskQueries((0..<10_000).map { _ in ("title CONTAINS 'word'", []) })
    report.row(
      "subscriptions.match-cohort-10k", "10,000 equal queries, beside evaluating all",
      ours: try one.secondsPerCommit(), rival: try one.secondsPerEvaluation(), unit: "s", .gainAtLeast(500))
  }
  if report.wants("subscriptions.match-untouched") {
    let queries = try TaskQueries(
      (0..<10_000).map { ("owner != $0", [.value(.string("user \($0)"))]) }, reporting: .membership)
    report.row(
      "subscriptions.match-untouched", "10,000 queries that do not read what changed",
      ours: try queries.secondsPerCommit(), rival: try queries.secondsPerEvaluation(), unit: "s", .gainAtLeast(1_000))
  }
}

/// Queries about tasks in a matcher, the same as single filters, and commits of one changed task each.
private final class TaskQueries {
  typealias Text = (text: String, arguments: [QueryArgument])
  static let dueDates = 100_000

  static let task = ObjectSchema(
    className: "Task", primaryKey: "id",
    properties: [
      Property(name: "id", type: .int), Property(name: "owner", type: .string),
      Property(name: "assignee", type: .string),
      Property(name: "project", type: .int), Property(name: "done", type: .bool), Property(name: "due", type: .int),
      Property(name: "title", type: .string), Property(name: "views", type: .int),
    ])

  private var matcher: SubscriptionMatcher<Int>
  private var filters: [ObjectFilter] = []
  private var commits: [[ObjectChange]] = []

  init(_ queries: [Text], reporting: SubscriptionMatcher<Int>.Reporting = .membershipAndUpdates) throws {
    let schema = QuerySchema(Schema([Self.task]))
    matcher = SubscriptionMatcher(schema: schema, reporting: reporting, seed: 1)
    for (id, query) in queries.enumerated() {
      let parsed = try ParsedQuery(parsing: query.text)
      try matcher.add(parsed, className: "Task", arguments: query.arguments, id: id)
      let plan = try QueryPlan(parsed, className: "Task", schema: schema, arguments: query.arguments)
      if let filter = ObjectFilter(plan) { filters.append(filter) }
    }
    var random = SeededGenerator(seed: 7)
    let people = max(10, min(queries.count, 100_000))
    for number in 0..<1_024 {
      func person() -> Value { .string("user \(Int.random(in: 0..<people, using: &random))") }
      let words = (0..<8).map { _ in "word \(Int.random(in: 0..<10_000, using: &random))." }.joined(separator: " ")
      let before: [Value] = [
        .int(Int64(number)), person(), person(), .int(Int64.random(in: 0..<20, using: &random)), .bool(false),
        .int(Int64.random(in: 0..<Int64(Self.dueDates), using: &random)), .string(words), .int(0),
      ]
      var after = before
      after[7] = .int(1)
      var changed = [7]
      if reporting == .membershipAndUpdates {
        after[4] = .bool(true)
        after[6] = .string(words + " once more")
        changed += [4, 6]
      }
      commits.append([
        ObjectChange(
          className: "Task", key: .int(Int64(number)), before: before, after: after, changedProperties: changed)
      ])
    }
  }

  /// The time to match one commit.
  func secondsPerCommit(rounds: Int = 1_024) throws -> Double {
    var found = 0
    let round = {
      for commit in self.commits.prefix(rounds) { found += try self.matcher.match(commit).matches.count }
    }
    try round()
    let time = try medianSeconds(of: 7, round)
    consume(found)
    return time / Double(rounds)
  }

  /// The time to evaluate every query before and after one commit.
  func secondsPerEvaluation() throws -> Double {
    let rounds = max(1, 20_000 / filters.count)
    var found = 0
    let round = {
      for commit in self.commits.prefix(rounds) {
        for change in commit {
          let before = change.before.map { ObjectValues($0, of: Self.task) }
          let after = change.after.map { ObjectValues($0, of: Self.task) }
          for filter in self.filters {
            let wasInside = try before.map { try filter.holds(for: $0) } ?? false
            let isInside = try after.map { try filter.holds(for: $0) } ?? false
            if wasInside || isInside { found += 1 }
          }
        }
      }
    }
    try round()
    let time = try medianSeconds(of: 7, round)
    consume(found)
    return time / Double(min(rounds, commits.count))
  }
}
