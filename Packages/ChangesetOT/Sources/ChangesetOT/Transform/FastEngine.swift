import DataModel

/// The plain engine's result, without the meetings that cannot matter.
///
/// Instructions that address different objects, or different fields of one object, do not disturb each other, apart
/// from those that erase a class, a column or an object. So both sides are split into groups that only meet
/// themselves; and within a group of list edits, indices alone are carried over each other (``ListRun``).
///
/// - Complexity: O(*n* + *m*) hashing, plus the meetings within each group.
enum FastEngine {
  /// Both sides, without the instructions of the longer one that address objects unknown to the shorter: memory is in
  /// proportion to what meets.
  static func branches(
    _ local: [Changeset], _ incoming: [Changeset], _ names: inout Names
  ) -> (local: Branch, incoming: Branch) {
    let (localCount, incomingCount) = (local.instructionCount, incoming.instructionCount)
    if localCount <= incomingCount {
      let short = Branch(local, expected: localCount, names: &names)
      return (short, long(incoming, over: short, &names))
    }
    let short = Branch(incoming, expected: incomingCount, names: &names)
    return (long(local, over: short, &names), short)
  }

  private static func long(_ changesets: [Changeset], over short: Branch, _ names: inout Names) -> Branch {
    // Room for as many as the shorter side has; more are needed only where several meet one.
    let expected = short.slots.count
    if short.hasSchema { return Branch(changesets, expected: expected, names: &names) }
    return Branch(changesets, expected: expected, names: &names) { instruction, names in
      instruction.object.map(names.knows) ?? true
    }
  }

  static func merge(
    local: inout Branch, incoming: inout Branch, mode: Transformer.Mode
  ) throws(TransformError) {
    guard !local.slots.isEmpty, !incoming.slots.isEmpty else { return }
    let groups = Groups(local, incoming)
    if groups.mayInsertEraseColumn {
      return try PlainEngine.merge(local: &local, incoming: &incoming, mode: mode)
    }
    for group in groups.all { try merge(group, &local, &incoming, mode) }
  }

  private static func merge(
    _ group: Group, _ local: inout Branch, _ incoming: inout Branch, _ mode: Transformer.Mode
  ) throws(TransformError) {
    if group.isOneField {
      if local.haveOnlyAdditions(group.local), incoming.haveOnlyAdditions(group.incoming) { return }
      if ListRun.merge(group, &local, &incoming) { return }
      if let parts = group.partitioned(local, incoming) {
        for part in parts { try transformAllPairs(part, &local, &incoming, mode) }
        return
      }
    }
    try transformAllPairs(group, &local, &incoming, mode)
  }

  /// The plain loop over one group.
  static func transformAllPairs(
    _ group: Group, _ local: inout Branch, _ incoming: inout Branch, _ mode: Transformer.Mode
  ) throws(TransformError) {
    var alive = group.incoming
    for l in group.local {
      var dropped = 0
      for var i in alive {
        if incoming.slots[i].isDropped {
          dropped += 1
          continue
        }
        try PlainEngine.transformPair(&local, l, &incoming, &i, mode)
        if local.slots[l].isDropped { break }
      }
      if dropped > alive.count / 4 { alive.removeAll { incoming.slots[$0].isDropped } }
    }
  }
}

extension Branch {
  /// Whether nothing but additions is there; they do not disturb each other.
  fileprivate func haveOnlyAdditions(_ places: [Int]) -> Bool {
    places.allSatisfy { slots[$0].code == .addInteger && slots[$0].instruction.target?.path.isEmpty == true }
  }
}
