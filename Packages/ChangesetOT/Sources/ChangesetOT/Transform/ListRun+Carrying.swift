extension ListRun {
  /// Carries every edit of this side, in order, over all edits of the other, changing both.
  mutating func carry(over other: inout ListRun) {
    for number in edits.indices {
      var edit = edits[number]
      let survives: Bool
      let passed: Int
      let growthBefore = other.growth
      switch edit.kind {
      case .insert: (survives, passed) = other.meetInsert(&edit)
      case .set: (survives, passed) = other.meetSet(&edit)
      case .erase: (survives, passed) = other.meetErase(&edit)
      case .move: (survives, passed) = other.meetMove(&edit)
      case .dropped: continue
      }
      if survives {
        edit.priorSize += growthBefore
        other.raise += edit.delta
      } else {
        edit.kind = .dropped
        if edit.delta != 0 {
          // It was there for those it met before it was dropped.
          for met in 0..<passed { other.edits[met].priorSize += edit.delta }
        }
        growth -= edit.delta
      }
      edits[number] = edit
    }
  }

  private mutating func drop(_ number: Int) {
    growth -= edits[number].delta
    edits[number].kind = .dropped
    edits[number].delta = 0
  }

  private mutating func meetInsert(_ edit: inout Edit) -> (survives: Bool, passed: Int) {
    var index = edit.index
    let rank = edit.rank
    let count = edits.count
    edits.withUnsafeMutableBufferPointer { edits in
      for number in 0..<count {
        let kind = edits[number].kind
        if kind == .move {
          var (from, to) = (edits[number].index, edits[number].destination)
          if index > from { index -= 1 } else { from += 1 }
          if index < to || (index == to && edits[number].rank < rank) { to += 1 } else { index += 1 }
          edits[number].index = from
          edits[number].destination = to
        } else {
          // The other gives way when it is further right; at the same place unless it is an earlier insertion.
          let tie: Int32 = kind != .insert || rank < edits[number].rank ? 1 : 0
          let gives: Int32 = edits[number].index + tie > index ? 1 : 0
          edits[number].index += gives
          index += (1 - gives) * edits[number].delta
        }
      }
    }
    edit.index = index
    return (true, count)
  }

  private mutating func meetSet(_ edit: inout Edit) -> (survives: Bool, passed: Int) {
    var index = edit.index
    for number in edits.indices {
      let at = edits[number].index
      switch edits[number].kind {
      case .insert: if index >= at { index += 1 }
      case .erase:
        if index == at { return (false, number) }
        if index > at { index -= 1 }
      case .move: index = Self.index(index, following: at, to: edits[number].destination)
      case .set:
        guard index == at else { continue }
        switch Self.clash(edit, edits[number]) {
        case .none: break
        case .left: return (false, number)
        case .right: drop(number)
        }
      case .dropped: break
      }
    }
    edit.index = index
    return (true, edits.count)
  }

  private mutating func meetErase(_ edit: inout Edit) -> (survives: Bool, passed: Int) {
    var index = edit.index
    for number in edits.indices {
      let at = edits[number].index
      switch edits[number].kind {
      case .insert, .set, .erase:
        if at == index, edits[number].kind != .insert {
          if edits[number].kind == .erase {
            drop(number)
            return (false, number)
          }
          drop(number)
          continue
        }
        let gives: Int32 = at > index ? 1 : 0
        edits[number].index = at - gives
        index += (1 - gives) * edits[number].delta
      case .move:
        if at == index {
          index = edits[number].destination
          drop(number)
          continue
        }
        var (from, to) = (at, edits[number].destination)
        if index > from { index -= 1 } else { from -= 1 }
        if index >= to { index += 1 } else { to -= 1 }
        edits[number].index = from
        edits[number].destination = to
        if from == to { drop(number) }
      case .dropped: break
      }
    }
    edit.index = index
    return (true, edits.count)
  }

  private mutating func meetMove(_ edit: inout Edit) -> (survives: Bool, passed: Int) {
    var (from, to) = (edit.index, edit.destination)
    for number in edits.indices {
      let isEarlier = edit.rank < edits[number].rank
      var at = edits[number].index
      switch edits[number].kind {
      case .insert:
        if at > from { at -= 1 } else { from += 1 }
        if at < to || (at == to && isEarlier) { to += 1 } else { at += 1 }
        edits[number].index = at
      case .set:
        edits[number].index = Self.index(at, following: from, to: to)
      case .erase:
        if at == from {
          edits[number].index = to
          return (false, number)
        }
        if at > from { at -= 1 } else { from -= 1 }
        if at >= to { at += 1 } else { to -= 1 }
        edits[number].index = at
        if from == to { return (false, number) }
      case .move:
        var target = edits[number].destination
        if at == from {
          if isEarlier {
            edits[number].index = to
            if to == target { drop(number) }
            return (false, number)
          }
          from = target
          drop(number)
          if from == to { return (false, number) }
          continue
        }
        if from < at { at -= 1 } else { from -= 1 }
        if to > at { to -= 1 } else { at += 1 }
        if from < target { target -= 1 } else { from += 1 }
        if to < target || (to == target && isEarlier) { target += 1 } else { to += 1 }
        edits[number].index = at
        edits[number].destination = target
        if at == target { drop(number) }
        if from == to { return (false, number) }
      case .dropped: break
      }
    }
    (edit.index, edit.destination) = (from, to)
    return (true, edits.count)
  }

  private enum Loser { case none, left, right }

  /// Which of two writes of one element is dropped.
  private static func clash(_ left: Edit, _ right: Edit) -> Loser {
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
