extension ListRules {
  // CONFLICT: both sides insert into one list.
  //
  // RESOLUTION: both stay. The one further right gives way by one; at the same place the earlier comes first. Both
  // peers know both origins, so both choose the same order.
  static func insert(
    _ left: inout ArrayInsert, with right: inout ArrayInsert, _ pair: ConflictPair
  ) throws(RuleFailure) {
    let (l, r) = (try left.checkedIndex, try right.checkedIndex)
    try requireEqual(left.priorSize, right.priorSize)
    if l > r || (l == r && !pair.leftIsEarlier) {
      left.target.index = try increased(l)
    } else {
      right.target.index = try increased(r)
    }
    left.priorSize = try increased(left.priorSize)
    right.priorSize = try increased(right.priorSize)
  }

  // CONFLICT: one side inserts, the other writes an element.
  //
  // RESOLUTION: the write follows its element.
  static func insert(_ left: inout ArrayInsert, with right: inout Update) throws(RuleFailure) {
    let (a, (u, size)) = (try left.checkedIndex, try right.checkedElement)
    try requireEqual(left.priorSize, size)
    if u >= a { right.target.index = try increased(u) }
    right.priorSize = try increased(size)
  }

  // CONFLICT: one side moves an element, the other writes one.
  //
  // RESOLUTION: the write follows its element.
  static func move(_ left: ArrayMove, with right: inout Update) throws(RuleFailure) {
    let (source, (u, _)) = (try left.checkedIndex, try right.checkedElement)
    let moved = index(u, following: source, to: left.destination)
    if moved != u { right.target.index = moved }
  }

  // CONFLICT: one side moves an element, the other inserts one.
  //
  // RESOLUTION: both happen, as a removal and an insertion. Where both end at one place the later one is in front:
  // the opposite of two insertions, and kept because every peer does it so.
  static func move(
    _ left: inout ArrayMove, with right: inout ArrayInsert, _ pair: ConflictPair
  ) throws(RuleFailure) {
    var (source, a) = (try left.checkedIndex, try right.checkedIndex)
    if a > source { a -= 1 } else { source = try increased(source) }
    if a < left.destination || (a == left.destination && pair.leftIsEarlier) {
      left.destination = try increased(left.destination)
    } else {
      a = try increased(a)
    }
    left.target.index = source
    left.priorSize = try increased(left.priorSize)
    right.target.index = a
  }

  // CONFLICT: both sides move elements of one list.
  //
  // RESOLUTION: of two moves of one element the later stays, from where the earlier put it. Otherwise both happen,
  // step by step, each as a removal and an insertion; a move that no longer moves anything is dropped.
  static func move(
    _ left: inout ArrayMove, with right: inout ArrayMove, _ pair: ConflictPair
  ) throws(RuleFailure) -> Resolution {
    var (leftFrom, rightFrom) = (try left.checkedIndex, try right.checkedIndex)
    try requireEqual(left.priorSize, right.priorSize)
    if leftFrom == rightFrom {
      if pair.leftIsEarlier {
        right.target.index = left.destination
        return left.destination == right.destination ? .dropBoth : .dropLeft
      }
      left.target.index = right.destination
      return left.destination == right.destination ? .dropBoth : .dropRight
    }
    if leftFrom < rightFrom { rightFrom -= 1 } else { leftFrom -= 1 }
    if left.destination > rightFrom { left.destination -= 1 } else { rightFrom += 1 }
    if leftFrom < right.destination { right.destination -= 1 } else { leftFrom += 1 }
    if left.destination < right.destination
      || (left.destination == right.destination && pair.leftIsEarlier)
    {
      right.destination += 1
    } else {
      left.destination += 1
    }
    left.target.index = leftFrom
    right.target.index = rightFrom
    var resolution: Resolution = []
    if leftFrom == left.destination { resolution.insert(.dropLeft) }
    if rightFrom == right.destination { resolution.insert(.dropRight) }
    return resolution
  }

  // CONFLICT: one side removes an element, the other writes one.
  //
  // RESOLUTION: a write of the removed element is lost, whatever the times say; others follow their element.
  static func erase(_ left: inout ArrayErase, with right: inout Update) throws(RuleFailure) -> Resolution {
    let (e, (u, size)) = (try left.checkedIndex, try right.checkedElement)
    try requireEqual(left.priorSize, size)
    if u == e { return .dropRight }
    right.priorSize = size - 1
    if u > e { right.target.index = u - 1 }
    return PairRules.nothing
  }

  // CONFLICT: one side removes an element, the other inserts one.
  //
  // RESOLUTION: both happen.
  static func erase(_ left: inout ArrayErase, with right: inout ArrayInsert) throws(RuleFailure) {
    let (e, a) = (try left.checkedIndex, try right.checkedIndex)
    try requireEqual(left.priorSize, right.priorSize)
    if a <= e { left.target.index = try increased(e) } else { right.target.index = a - 1 }
    left.priorSize = try increased(left.priorSize)
    right.priorSize -= 1
  }

  // CONFLICT: one side removes an element, the other moves one.
  //
  // RESOLUTION: the moved element is removed from where it went; others follow.
  static func erase(_ left: inout ArrayErase, with right: inout ArrayMove) throws(RuleFailure) -> Resolution {
    var (e, source) = (try left.checkedIndex, try right.checkedIndex)
    try requireEqual(left.priorSize, right.priorSize)
    if e == source {
      left.target.index = right.destination
      return .dropRight
    }
    right.priorSize -= 1
    if e > source { e -= 1 } else { source -= 1 }
    if e >= right.destination { e += 1 } else { right.destination -= 1 }
    left.target.index = e
    right.target.index = source
    return source == right.destination ? .dropRight : PairRules.nothing
  }

  // CONFLICT: both sides remove an element.
  //
  // RESOLUTION: the same element is removed once; others follow.
  static func erase(_ left: inout ArrayErase, with right: inout ArrayErase) throws(RuleFailure) -> Resolution {
    let (l, r) = (try left.checkedIndex, try right.checkedIndex)
    try requireEqual(left.priorSize, right.priorSize)
    if l == r { return .dropBoth }
    left.priorSize -= 1
    right.priorSize -= 1
    if l > r { left.target.index = l - 1 } else { right.target.index = r - 1 }
    return PairRules.nothing
  }

  // CONFLICT: one side changes a list, the other empties, or adds to, what one of its elements is.
  //
  // RESOLUTION: as with a write, the edit follows its element, and is dropped with it. The reference leaves the index
  // as it is: the edit then applies to different elements on the two sides.
  static func follow(
    _ target: inout Target, _ edit: Instruction, _ pair: ConflictPair
  ) throws(RuleFailure) -> Resolution {
    guard pair.mode == .intended, let list = edit.target, pair.isSameContainer(target, list),
      let index = target.index
    else { return PairRules.nothing }
    switch edit {
    case .arrayInsert(let insert):
      if index >= (try insert.checkedIndex) { target.index = try increased(index) }
    case .arrayMove(let move):
      target.index = self.index(index, following: try move.checkedIndex, to: move.destination)
    case .arrayErase(let erase):
      let erased = try erase.checkedIndex
      if index == erased { return .dropLeft }
      if index > erased { target.index = index - 1 }
    case .addTable, .eraseTable, .createObject, .eraseObject, .update, .addInteger, .addColumn, .eraseColumn, .clear,
      .setInsert, .setErase:
      break
    }
    return PairRules.nothing
  }

  private static func requireEqual(_ left: UInt32, _ right: UInt32) throws(RuleFailure) {
    guard left == right else { throw .list("prior sizes \(left) and \(right) of one list differ") }
  }
}
