/// The meeting of two concurrent instructions: the law of the whole package.
///
/// First the nested rule, when one addresses more than the other; then, unless that dropped one, the pair rule.
/// Exchanging the two gives the exchanged result.
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

  /// Only a link column and the class it links to are named apart.
  private static func mayConflictAcrossTables(_ left: InstructionCode, _ right: InstructionCode) -> Bool {
    (left == .addColumn && right == .eraseTable) || (left == .eraseTable && right == .addColumn)
  }
}
