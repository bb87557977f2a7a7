/// The definition of the transform: every instruction of one side against every instruction of the other.
///
///     for each local instruction l, oldest first
///       for each incoming instruction i, oldest first
///         transform the pair (l, i); either may change or be dropped
///
/// The next i is transformed against the changed l, the next l against the changed i.
///
/// Law: ``FastEngine`` gives the same result, instruction by instruction (`Docs/Algebra.md`, "The engines agree"; tested by
/// `EngineLaws`, `ExhaustivePairs` and `merge-laws`). A new rule is written here and in `Rules`; then the laws tell where the
/// fast engine differs. The benchmark rows `ot.*-plain` have this engine as their rival.
///
/// - Complexity: O(*n* · *m*) pairs.
enum PlainEngine {
  static func merge(
    local: inout Branch, incoming: inout Branch, mode: Transformer.Mode
  ) throws(TransformError) {
    var l = 0
    while l < local.slots.count {
      var i = 0
      while i < incoming.slots.count {
        if !incoming.slots[i].isDropped {
          try transformPair(&local, l, &incoming, &i, mode)
          if local.slots[l].isDropped { break }
        }
        i += 1
      }
      l += 1
    }
  }

  /// Transforms one pair of instructions against each other, and performs the resolution.
  ///
  /// - Parameter i: moves on by one when an instruction is inserted before the incoming one.
  static func transformPair(
    _ local: inout Branch, _ l: Int, _ incoming: inout Branch, _ i: inout Int, _ mode: Transformer.Mode
  ) throws(TransformError) {
    let resolution: Resolution
    do {
      resolution = try Rules.merge(&local.slots[l], &incoming.slots[i], mode: mode)
    } catch {
      throw TransformError(
        reason: error.reason, message: error.message, local: TransformError.ConflictingInstruction(local.slots[l]),
        incoming: TransformError.ConflictingInstruction(incoming.slots[i]))
    }
    if resolution.isEmpty { return }
    if resolution.contains(.dropLeft) { local.slots[l].isDropped = true }
    if resolution.contains(.dropRight) { incoming.slots[i].isDropped = true }
    guard resolution.contains(.eraseColumnFirst) else { return }
    if local.slots[l].code == .eraseTable {
      // The new instruction takes the slot of the current one and goes on from here; the class is erased after it.
      local.slots.insert(Slot(erasing: incoming.slots[i], before: local.slots[l]), at: l)
    } else {
      incoming.slots.insert(Slot(erasing: local.slots[l], before: incoming.slots[i]), at: i)
      i += 1
    }
  }
}
