/// Names the queries of a matcher that are one and the same; valid until the last of them is removed.
public struct CohortID: Hashable, Comparable, Sendable {
  let slot: Int

  /// Whether the left cohort comes first in answers.
  public static func < (left: CohortID, right: CohortID) -> Bool { left.slot < right.slot }
}

/// The way in which a query is answered for each commit.
public enum CohortEvaluation: Hashable, Sendable {
  /// From the changed objects alone: each answer is exact.
  case stateless
  /// The answer depends on more than the changed objects: the owner evaluates again when the query is concerned.
  case needsState(StateReason)
}

/// A part of a query that no single object decides.
public enum StateReason: Hashable, Sendable, CaseIterable {
  /// A condition on a linked object, on a link itself, or on backlinks.
  case links
  /// A condition on a list, set or dictionary.
  case collections
  /// A LIMIT.
  case limit
  /// A DISTINCT.
  case distinct
  /// An INCLUDE, which sends other objects along.
  case includes
}
