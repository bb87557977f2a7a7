/// The cohorts that changes of a class may concern, whatever the matcher answers about them: those that show its objects beside
/// those of their root field, and those of the class that the matcher does not know.
struct ReachIndex {
  private var byClass: [String: Set<Int>] = [:]
  private var showingMixed: Set<Int> = []
  private var classes: [Int: Set<String>] = [:]

  /// Enters a cohort, or enters it anew.
  ///
  /// - Parameter ownClass: the class of the root field, if any change of it concerns the cohort.
  mutating func set(_ cohort: Int, _ reach: SelectionReach, ownClass: String?) {
    remove(cohort)
    let names = ownClass.map { reach.classes.union([$0]) } ?? reach.classes
    for name in names { byClass[name, default: []].insert(cohort) }
    classes[cohort] = names
    if reach.showsMixed { showingMixed.insert(cohort) }
  }

  mutating func remove(_ cohort: Int) {
    for name in classes.removeValue(forKey: cohort) ?? [] {
      byClass[name]?.remove(cohort)
      if byClass[name]?.isEmpty == true { byClass[name] = nil }
    }
    showingMixed.remove(cohort)
  }

  /// The cohorts that a change of objects of these classes may concern.
  ///
  /// - Complexity: O(classes and cohorts found).
  func cohorts(showing names: Set<String>) -> Set<Int> {
    names.reduce(into: showingMixed) { $0.formUnion(byClass[$1] ?? []) }
  }
}
