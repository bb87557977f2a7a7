extension ListRun {
  /// Transforms every edit of both runs: this side's edits in order, each against all edits of the other side.
  ///
  /// - Complexity: O(*n* · *m*), a few machine instructions for each pair.
  mutating func transform(with other: inout ListRun) {
    var side = OtherSide(growth: other.growth)
    // The buffer is used only within this call, and only at indices below its count.
    other.edits.withUnsafeMutableBufferPointer { others in
      for number in edits.indices {
        var edit = edits[number]
        let growthBefore = side.growth
        let survives: Bool
        switch edit.kind {
        case .insert: survives = side.transformInsert(&edit, others)
        case .set: survives = side.transformSet(&edit, others)
        case .erase: survives = side.transformErase(&edit, others)
        case .move: survives = side.transformMove(&edit, others)
        case .dropped: continue
        }
        if survives {
          edit.priorSize += growthBefore
          side.raise += edit.delta
        } else {
          edit.kind = .dropped
          if edit.delta != 0 {
            // The edits compared before the drop see the size with this edit, the others without it.
            for compared in 0..<side.comparedCount { others[compared].priorSize += edit.delta }
          }
          growth -= edit.delta
        }
        edits[number] = edit
      }
    }
    other.growth = side.growth
    other.raise += side.raise
  }

  /// The sums of the other side during a transform. Each `transform` function takes one edit through all edits of the
  /// other side and returns whether the edit survives.
  struct OtherSide {
    /// The growth of the list by the edits that are not dropped.
    var growth: Int32
    /// The number to be added to the prior sizes of the edits.
    var raise: Int32 = 0
    /// The number of edits that were compared before the last drop.
    var comparedCount = 0
  }
}

extension ListRun.OtherSide {
  mutating func drop(_ number: Int, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>) {
    growth -= edits[number].delta
    edits[number].kind = .dropped
    edits[number].delta = 0
  }

  /// The result for an edit that the other side's edit with this number drops.
  mutating func dropped(at number: Int) -> Bool {
    comparedCount = number
    return false
  }

  mutating func transformInsert(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var index = edit.index
    let rank = edit.rank
    for number in 0..<edits.count {
      let kind = edits[number].kind
      if kind == .move {
        let isBehind = bit(index > edits[number].index)
        index -= isBehind
        edits[number].index += 1 - isBehind
        // At one index two moves are ordered by origin, a move and an insertion in reverse.
        let tie = bit(edits[number].rank < rank) ^ edit.isMoved
        let moves = bit(index < edits[number].destination + tie)
        edits[number].destination += moves
        index += 1 - moves
      } else {
        // The other edit gives way when it is further right; at the same index unless it is an earlier insertion.
        let tie = bit(kind != .insert) | (bit(rank < edits[number].rank) ^ edit.isMoved ^ edits[number].isMoved)
        let gives = bit(edits[number].index + tie > index)
        edits[number].index += gives
        index += (1 - gives) * edits[number].delta
      }
    }
    edit.index = index
    return true
  }

  mutating func transformSet(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var index = edit.index
    for number in 0..<edits.count {
      let at = edits[number].index
      let kind = edits[number].kind
      if kind == .move {
        index = Self.index(index, following: at, to: edits[number].destination)
        continue
      }
      if at == index {
        if kind == .erase { return dropped(at: number) }
        if kind == .set {
          switch Self.clash(edit, edits[number]) {
          case .none: break
          case .left: return dropped(at: number)
          case .right: drop(number, edits)
          }
          continue
        }
      }
      index += bit(index >= at + bit(kind != .insert)) * edits[number].delta
    }
    edit.index = index
    return true
  }

  private enum Loser { case none, left, right }

  /// The loser of two writes of one element, as ``ValueRules`` decides it.
  private static func clash(_ left: ListRun.Edit, _ right: ListRun.Edit) -> Loser {
    if left.content != right.content {
      if left.content == .object { return .left }
      if right.content == .object { return .right }
    } else if left.content == .list || left.content == .dictionary {
      return .none
    }
    return left.rank < right.rank ? .left : .right
  }

  /// ``ListRules/index(_:following:to:)`` for the numbers used here.
  private static func index(_ index: Int32, following source: Int32, to destination: Int32) -> Int32 {
    if index == source { return destination }
    let removed = index > source ? index - 1 : index
    return removed >= destination ? removed + 1 : removed
  }
}

/// 1 for true: comparisons as numbers keep the loops free of branches that the processor cannot predict. Benchmark row
/// `ot.listMix-10k`.
@inline(__always) func bit(_ condition: Bool) -> Int32 { condition ? 1 : 0 }
