import DataModel
import QueryLanguage
import SubscriptionMatching

/// The answer for one query, from evaluating it before and after.
struct Expectation {
  var entered: [Int] = []
  var left: [Int] = []
  var updated: [Int] = []
  /// Whether the list of matches differs in any way.
  var isOtherList = false

  init(_ plan: QueryPlan, _ commit: Commit) throws {
    let old = try Commit.keys(plan, in: commit.before)
    let new = try Commit.keys(plan, in: commit.after)
    isOtherList = old != new
    let (wasInside, isInside) = (Set(old), Set(new))
    for (position, change) in commit.changes.enumerated() where change.className == plan.className {
      switch (wasInside.contains(change.key), isInside.contains(change.key)) {
      case (false, true): entered.append(position)
      case (true, false): left.append(position)
      case (true, true): updated.append(position)
      case (false, false): break
      }
    }
  }

  /// Nothing to report.
  var isEmpty: Bool { entered.isEmpty && left.isEmpty && updated.isEmpty }
}
