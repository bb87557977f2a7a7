import DataModel
import QueryLanguage

extension SubscriptionMatcher {
  /// The queries that a commit concerns.
  ///
  /// - Parameter changes: the objects of the commit, each at most once; those of classes that no query reads are passed
  ///   over.
  /// - Returns: for each cohort with an exact answer the positions of the changes that it sees, and the cohorts that
  ///   need state and may be concerned.
  /// - Throws: never; the signature is that of ``ObjectFilter/holds(for:)``.
  /// - Complexity: see the type; for cohorts with state one test of bits per class, and one per cohort
  ///   when some cohort of the class reads what was changed.
  public mutating func match(_ changes: [ObjectChange]) throws -> CommitMatches {
    var gathered = MatchGathering()
    var touches: [String: ClassTouch] = [:]
    for (position, change) in changes.enumerated() {
      if !dependents.isEmpty { touches[change.className, default: ClassTouch()].add(change) }
      guard let index = classes[change.className] else { continue }
      try match(change, at: position, index, &gathered)
    }
    var answer = CommitMatches()
    answer.matches = gathered.sorted()
    answer.concerns = concerns(touches)
    return answer
  }

  private mutating func match(
    _ change: ObjectChange, at position: Int, _ index: ClassIndex, _ gathered: inout MatchGathering
  ) throws {
    let changed = change.isUpdate ? PropertyMask(change.changedProperties) : nil
    if let changed, reporting == .membership, !changed.meets(index.reads.mask) { return }
    stamp &+= 1
    var candidates: [Int] = []
    index.candidates(change.before, change.after, changed: changed) { slot in
      if stamps[slot] == stamp { return }
      stamps[slot] = stamp
      candidates.append(slot)
    }
    if candidates.isEmpty { return }
    let before = change.before.map { ObjectValues($0, of: index.objectSchema) }
    let after = change.after.map { ObjectValues($0, of: index.objectSchema) }
    for slot in candidates {
      guard let filter = filters[slot].filter else { continue }
      if let changed, !changed.meets(filters[slot].reads) {
        // Nothing that the query reads was written: one evaluation answers for both sides.
        if reporting == .membershipAndUpdates, let after, try filter.holds(for: after) {
          gathered.add(slot, position, wasInside: true, isInside: true)
        }
        continue
      }
      let wasInside = try before.map { try filter.holds(for: $0) } ?? false
      let isInside = try after.map { try filter.holds(for: $0) } ?? false
      guard wasInside || isInside else { continue }
      if wasInside, isInside, reporting == .membership { continue }
      gathered.add(slot, position, wasInside: wasInside, isInside: isInside)
    }
  }

  private func concerns(_ touches: [String: ClassTouch]) -> [CohortConcern] {
    var found: [Int: Bool] = [:]
    for (className, touch) in touches where !touch.isEmpty {
      dependents.concerns(
        className, touch, contents: reporting == .membershipAndUpdates, readSet: { cohorts[$0]?.reads }
      ) { slot, membership in
        found[slot] = membership || found[slot] == true
      }
    }
    return found.sorted { $0.key < $1.key }.map {
      CohortConcern(cohort: CohortID(slot: $0.key), concernsMembership: $0.value)
    }
  }
}

/// The matches of a commit while they are found.
struct MatchGathering {
  private var positions: [Int: Int] = [:]
  private var matches: [CohortMatch] = []

  mutating func add(_ slot: Int, _ position: Int, wasInside: Bool, isInside: Bool) {
    let at: Int
    if let known = positions[slot] {
      at = known
    } else {
      at = matches.count
      positions[slot] = at
      matches.append(CohortMatch(cohort: CohortID(slot: slot)))
    }
    if !wasInside { matches[at].entered.append(position) }
    if !isInside { matches[at].left.append(position) }
    if wasInside, isInside { matches[at].updated.append(position) }
  }

  func sorted() -> [CohortMatch] { matches.sorted { $0.cohort < $1.cohort } }
}
