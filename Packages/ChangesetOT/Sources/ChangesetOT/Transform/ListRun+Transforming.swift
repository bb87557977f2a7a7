extension ListRun {
  /// Carries every edit of this side, in order, over all edits of the other, changing both.
  mutating func transform(with other: inout ListRun) {
    var row = Row(growth: other.growth)
    // The buffer is used only within this call, and only at indices below its count.
    other.edits.withUnsafeMutableBufferPointer { others in
      for number in edits.indices {
        var edit = edits[number]
        let growthBefore = row.growth
        let survives: Bool
        switch edit.kind {
        case .insert: survives = row.transformInsert(&edit, others)
        case .set: survives = row.transformSet(&edit, others)
        case .erase: survives = row.transformErase(&edit, others)
        case .move: survives = row.transformMove(&edit, others)
        case .dropped: continue
        }
        if survives {
          edit.priorSize += growthBefore
          row.raise += edit.delta
        } else {
          edit.kind = .dropped
          if edit.delta != 0 {
            // It was there for those it met before it was dropped.
            for met in 0..<row.passed { others[met].priorSize += edit.delta }
          }
          growth -= edit.delta
        }
        edits[number] = edit
      }
    }
    other.growth = row.growth
    other.raise += row.raise
  }

  /// One edit's way through all edits of the other side.
  fileprivate struct Row {
    /// The growth of the other side's edits that are not dropped.
    var growth: Int32
    /// By how much the other side's prior sizes go up.
    var raise: Int32 = 0
    /// How many the edit met before it was dropped.
    var passed = 0
  }
}

extension ListRun.Row {
  private mutating func drop(_ number: Int, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>) {
    growth -= edits[number].delta
    edits[number].kind = .dropped
    edits[number].delta = 0
  }

  private mutating func isDropped(at number: Int) -> Bool {
    passed = number
    return false
  }

  fileprivate mutating func transformInsert(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var index = edit.index
    let rank = edit.rank
    for number in 0..<edits.count {
      let kind = edits[number].kind
      if kind == .move {
        let isBehind = one(index > edits[number].index)
        index -= isBehind
        edits[number].index += 1 - isBehind
        // Two moves keep the order of their times, a move and an insertion have it reversed.
        let tie = one(edits[number].rank < rank) ^ edit.isMoved
        let moves = one(index < edits[number].destination + tie)
        edits[number].destination += moves
        index += 1 - moves
      } else {
        // The other gives way when it is further right; at the same place unless it is an earlier insertion.
        let tie = one(kind != .insert) | (one(rank < edits[number].rank) ^ edit.isMoved ^ edits[number].isMoved)
        let gives = one(edits[number].index + tie > index)
        edits[number].index += gives
        index += (1 - gives) * edits[number].delta
      }
    }
    edit.index = index
    return true
  }

  fileprivate mutating func transformSet(
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
        if kind == .erase { return isDropped(at: number) }
        if kind == .set {
          switch Self.clash(edit, edits[number]) {
          case .none: break
          case .left: return isDropped(at: number)
          case .right: drop(number, edits)
          }
          continue
        }
      }
      index += one(index >= at + one(kind != .insert)) * edits[number].delta
    }
    edit.index = index
    return true
  }

  fileprivate mutating func transformErase(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var index = edit.index
    for number in 0..<edits.count {
      let at = edits[number].index
      let kind = edits[number].kind
      if at == index, kind != .insert, kind != .dropped {
        if kind == .move { index = edits[number].destination }
        drop(number, edits)
        if kind == .erase { return isDropped(at: number) }
        continue
      }
      if kind == .move {
        let isBehind = one(index > at)
        index -= isBehind
        let from = at - (1 - isBehind)
        let gives = one(index < edits[number].destination)
        let to = edits[number].destination - gives
        index += 1 - gives
        edits[number].index = from
        edits[number].destination = to
        if from == to { drop(number, edits) }
        continue
      }
      let gives = one(at > index)
      edits[number].index = at - gives
      index += (1 - gives) * edits[number].delta
    }
    edit.index = index
    return true
  }

  fileprivate mutating func transformMove(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var (from, to) = (edit.index, edit.destination)
    for number in 0..<edits.count {
      let kind = edits[number].kind
      if kind == .dropped { continue }
      var at = edits[number].index
      let tie = one(edit.rank < edits[number].rank)
      if kind == .move {
        var target = edits[number].destination
        if at == from {
          if tie == 1 {
            edits[number].index = to
            if to == target { drop(number, edits) }
            return isDropped(at: number)
          }
          from = target
          drop(number, edits)
          if from == to { return isDropped(at: number) }
          continue
        }
        let isBehind = one(from > at)
        from -= isBehind
        at -= 1 - isBehind
        let isTarget = one(to > at)
        to -= isTarget
        at += 1 - isTarget
        let gives = one(from < target)
        target -= gives
        from += 1 - gives
        let goes = one(to < target + tie)
        target += goes
        to += 1 - goes
        edits[number].index = at
        edits[number].destination = target
        if at == target { drop(number, edits) }
        if from == to { return isDropped(at: number) }
        continue
      }
      if at == from, kind != .insert {
        edits[number].index = to
        if kind == .erase { return isDropped(at: number) }
        continue
      }
      let delta = edits[number].delta
      let isBehind = one(at > from)
      at -= isBehind
      from += (1 - isBehind) * delta
      let isBefore = one(at < to + (one(kind == .insert) & (tie ^ edits[number].isMoved)))
      to += isBefore * delta
      edits[number].index = at + 1 - isBefore
      if from == to, kind == .erase { return isDropped(at: number) }
    }
    (edit.index, edit.destination) = (from, to)
    return true
  }

  private enum Loser { case none, left, right }

  /// Which of two writes of one element is dropped.
  private static func clash(_ left: ListRun.Edit, _ right: ListRun.Edit) -> Loser {
    if left.content != right.content {
      if left.content == .object { return .left }
      if right.content == .object { return .right }
    } else if left.content == .list || left.content == .dictionary {
      return .none
    }
    return left.rank < right.rank ? .left : .right
  }

  private static func index(_ index: Int32, following source: Int32, to destination: Int32) -> Int32 {
    if index == source { return destination }
    let removed = index > source ? index - 1 : index
    return removed >= destination ? removed + 1 : removed
  }
}

/// 1 for true: comparisons as numbers keep the loops free of branches that cannot be predicted.
@inline(__always) private func one(_ condition: Bool) -> Int32 { condition ? 1 : 0 }
