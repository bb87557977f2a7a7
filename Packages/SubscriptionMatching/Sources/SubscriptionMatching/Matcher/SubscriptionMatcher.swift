import DataModel
public import QueryLanguage

/// Tells which of many queries a commit concerns, and how: objects enter, leave, or are updated while inside.
///
///     var matcher = SubscriptionMatcher<Int>(schema: QuerySchema(schema))
///     try matcher.add(ParsedQuery(parsing: "owner == $0 AND done == false"), className: "Task", arguments: ["ann"], id: 1)
///     for match in try matcher.match(changes).matches {
///       for id in matcher.subscribers(of: match.cohort) { … }      // match.entered, match.left, match.updated
///     }
///
/// Equal queries are one *cohort* and are evaluated once for all their subscribers. A query over an object's own values
/// is answered from the values before and after, without any record of who has which object. Its most selective
/// conditions stand in indexes by property; these only choose candidates, and the evaluator of QueryLanguage decides.
/// For a query that needs state, see ``CohortEvaluation``, the matcher tells when it may be concerned.
///
/// - Complexity: memory is O(*n*) per cohort for *n* nodes and bytes of constants of its query, and one set entry per
///   subscription. A commit costs, for each changed object, one hash lookup per indexed property, O(log *q*) for *q*
///   ranges over it, and one evaluation before and one after for each candidate: the queries whose lookups find a value
///   of the object, and those of its class that no index can hold (CONTAINS, `!=`, comparisons of two properties).
///
/// A value with one owner: mutating calls from one thread at a time.
public struct SubscriptionMatcher<ID: Hashable & Sendable>: Sendable {
  /// The changes that a matcher reports.
  public enum Reporting: Hashable, Sendable {
    /// Objects that enter and leave. A commit that writes no property that a query of the class reads ends at one test
    /// of bits.
    case membership
    /// Also changes of objects that stay inside, whether or not the query reads the property.
    case membershipAndUpdates
  }

  /// The classes that queries are resolved against.
  public let schema: QuerySchema
  /// The changes that are reported.
  public let reporting: Reporting
  var cohorts: [Cohort<ID>?] = []
  /// Beside ``cohorts``: the part that matching reads.
  var filters: [CohortFilter] = []
  var freeSlots: [Int] = []
  var slotOfKey: [CohortKey: Int] = [:]
  var slotOfID: [ID: Int] = [:]
  var classes: [String: ClassIndex] = [:]
  /// The cohorts that need state.
  var dependents = DependentIndex()
  var seed: UInt64
  /// The change for which each cohort was last a candidate.
  var stamps: [UInt64] = []
  var stamp: UInt64 = 0

  /// A matcher without queries.
  ///
  /// - Parameters:
  ///   - schema: the classes; a matcher serves one version of them.
  ///   - reporting: the changes to report.
  ///   - seed: decides the shape of search trees, never an answer.
  public init(
    schema: QuerySchema, reporting: Reporting = .membershipAndUpdates, seed: UInt64 = .random(in: .min ... .max)
  ) {
    self.schema = schema
    self.reporting = reporting
    self.seed = seed
  }

  /// The number of subscriptions.
  public var count: Int { slotOfID.count }

  /// The number of different queries.
  public var cohortCount: Int { cohorts.count - freeSlots.count }

  /// The subscriptions with the query of a cohort; none for a cohort that is gone. O(1).
  public func subscribers(of cohort: CohortID) -> Set<ID> {
    guard cohorts.indices.contains(cohort.slot) else { return [] }
    return cohorts[cohort.slot]?.subscribers ?? []
  }

  /// The cohort of a subscription; nil when there is no such subscription. O(1).
  public func cohort(of id: ID) -> CohortID? { slotOfID[id].map { CohortID(slot: $0) } }

  /// The way in which a cohort is evaluated; nil for a cohort that is gone. O(1).
  public func evaluation(of cohort: CohortID) -> CohortEvaluation? {
    guard cohorts.indices.contains(cohort.slot) else { return nil }
    return cohorts[cohort.slot]?.evaluation
  }
}
