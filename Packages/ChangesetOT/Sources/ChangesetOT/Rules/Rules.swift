/// The rules for two concurrent instructions; both engines follow them.
///
/// The nested rule acts first, when the levels differ; then, unless it dropped an instruction, the pair rule.
/// Guarantee: exchanging the two instructions gives the exchanged result.
///
/// - SeeAlso: `Docs/ChangesetFormat.md`, the table of conflicts
enum Rules {
  static func merge(
    _ left: inout Slot, _ right: inout Slot, mode: Transformer.Mode
  ) throws(RuleFailure) -> Resolution {
    guard left.address.table == right.address.table || mayConflictAcrossTables(left.code, right.code) else { return [] }
    let leftLevel = left.level
    let rightLevel = right.level
    if leftLevel < rightLevel {
      if try NestedRules.merge(outer: &left, inner: &right, mode: mode) { return .dropRight }
    } else if rightLevel < leftLevel {
      if try NestedRules.merge(outer: &right, inner: &left, mode: mode) { return .dropLeft }
    }
    if left.code >= right.code {
      let pair = ConflictPair(
        left: left.address, right: right.address, leftIsEarlier: left.origin < right.origin, mode: mode)
      return try PairRules.merge(&left.instruction, &right.instruction, pair)
    }
    let pair = ConflictPair(
      left: right.address, right: left.address, leftIsEarlier: right.origin < left.origin, mode: mode)
    return try PairRules.merge(&right.instruction, &left.instruction, pair).swapped
  }

  /// A link column conflicts with the erasure of the class that it links to; all other conflicts are within one class.
  private static func mayConflictAcrossTables(_ left: InstructionCode, _ right: InstructionCode) -> Bool {
    (left == .addColumn && right == .eraseTable) || (left == .eraseTable && right == .addColumn)
  }
}
