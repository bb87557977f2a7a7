extension ListRun.OtherSide {
  mutating func transformErase(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var index = edit.index
    for number in 0..<edits.count {
      let at = edits[number].index
      let kind = edits[number].kind
      if at == index, kind != .insert, kind != .dropped {
        if kind == .move { index = edits[number].destination }
        drop(number, edits)
        if kind == .erase { return dropped(at: number) }
        continue
      }
      if kind == .move {
        let isBehind = bit(index > at)
        index -= isBehind
        let from = at - (1 - isBehind)
        let gives = bit(index < edits[number].destination)
        let to = edits[number].destination - gives
        index += 1 - gives
        edits[number].index = from
        edits[number].destination = to
        if from == to { drop(number, edits) }
        continue
      }
      let gives = bit(at > index)
      edits[number].index = at - gives
      index += (1 - gives) * edits[number].delta
    }
    edit.index = index
    return true
  }

  mutating func transformMove(
    _ edit: inout ListRun.Edit, _ edits: UnsafeMutableBufferPointer<ListRun.Edit>
  ) -> Bool {
    var (from, to) = (edit.index, edit.destination)
    for number in 0..<edits.count {
      let kind = edits[number].kind
      if kind == .dropped { continue }
      var at = edits[number].index
      let tie = bit(edit.rank < edits[number].rank)
      if kind == .move {
        var target = edits[number].destination
        if at == from {
          if tie == 1 {
            edits[number].index = to
            if to == target { drop(number, edits) }
            return dropped(at: number)
          }
          from = target
          drop(number, edits)
          if from == to { return dropped(at: number) }
          continue
        }
        let isBehind = bit(from > at)
        from -= isBehind
        at -= 1 - isBehind
        let isTarget = bit(to > at)
        to -= isTarget
        at += 1 - isTarget
        let gives = bit(from < target)
        target -= gives
        from += 1 - gives
        let goes = bit(to < target + tie)
        target += goes
        to += 1 - goes
        edits[number].index = at
        edits[number].destination = target
        if at == target { drop(number, edits) }
        if from == to { return dropped(at: number) }
        continue
      }
      if at == from, kind != .insert {
        edits[number].index = to
        if kind == .erase { return dropped(at: number) }
        continue
      }
      let delta = edits[number].delta
      let isBehind = bit(at > from)
      at -= isBehind
      from += (1 - isBehind) * delta
      let isBefore = bit(at < to + (bit(kind == .insert) & (tie ^ edits[number].isMoved)))
      to += isBefore * delta
      edits[number].index = at + 1 - isBefore
      if from == to, kind == .erase { return dropped(at: number) }
    }
    (edit.index, edit.destination) = (from, to)
    return true
  }
}
