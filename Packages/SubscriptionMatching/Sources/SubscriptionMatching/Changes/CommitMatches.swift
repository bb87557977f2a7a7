/// The queries that a commit concerns. Changes are named by their positions in the commit.
public struct CommitMatches: Hashable, Sendable {
  /// The cohorts that are evaluated exactly and see some change, by ascending cohort.
  public var matches: [CohortMatch] = []
  /// The cohorts that need state and may see some change, by ascending cohort.
  public var concerns: [CohortConcern] = []

  /// An answer without matches.
  public init() {}

  /// Whether the commit concerns no query.
  public var isEmpty: Bool { matches.isEmpty && concerns.isEmpty }
}

/// The changes that one cohort sees.
public struct CohortMatch: Hashable, Sendable {
  /// The cohort.
  public var cohort: CohortID
  /// The objects that match after the commit and did not before, ascending.
  public var entered: [Int] = []
  /// The objects that matched before the commit and no longer do, ascending.
  public var left: [Int] = []
  /// The objects that match before and after and were changed, ascending. Empty where the matcher reports membership
  /// only.
  public var updated: [Int] = []
}

/// A cohort that its owner has to evaluate again.
public struct CohortConcern: Hashable, Sendable {
  /// The cohort.
  public var cohort: CohortID
  /// Whether objects may have entered, left or moved; otherwise only the contents of objects may have changed.
  public var concernsMembership: Bool
}
