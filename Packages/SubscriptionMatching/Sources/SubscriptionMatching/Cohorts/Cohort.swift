import QueryLanguage

/// The subscriptions with one and the same query.
struct Cohort<ID: Hashable & Sendable>: Sendable {
  var key: CohortKey
  var evaluation: CohortEvaluation
  var subscribers: Set<ID>
  /// The places of a stateless query in the index of its class; nil when it is asked about each object.
  var lookups: [PropertyLookup]?
  /// The dependencies of a query with state.
  var reads: ReadSet?
}

/// The part of a cohort that is needed for each candidate.
struct CohortFilter: Sendable {
  /// The condition; nil for free slots and queries with state.
  var filter: ObjectFilter?
  /// The properties that the condition reads.
  var reads = PropertyMask()
}
