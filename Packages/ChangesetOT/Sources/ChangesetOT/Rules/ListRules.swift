// Inserting, moving and removing list elements. All meetings here are between elements of one list; both sides start
// from one state, so both must name the same size.

enum ListRules {
  /// The index of an element after a move of the element at `source` to `destination`.
  ///
  ///     list  a b c d, move 0 to 2 gives  b c a d
  ///     index(0) = 2, index(1) = 0, index(2) = 1, index(3) = 3
  static func index(_ index: UInt32, following source: UInt32, to destination: UInt32) -> UInt32 {
    if index == source { return destination }
    let removed = index > source ? index - 1 : index
    return removed >= destination ? removed &+ 1 : removed
  }

  static func merge(
    _ left: inout ArrayInsert, _ right: inout Instruction, _ meeting: Meeting, storing store: (ArrayInsert) -> Void
  ) throws(RuleFailure) -> Verdict {
    switch right {
    case .update(var update):
      guard meeting.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      try insert(&left, meets: &update)
      right = .update(update)
      return PairRules.nothing
    case .arrayInsert(var other):
      guard meeting.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      try insert(&left, meets: &other, meeting)
      store(left)
      right = .arrayInsert(other)
      return PairRules.nothing
    case .eraseColumn:
      return SchemaRules.eraseColumn(meets: meeting)
    case .addInteger(var add):
      let verdict = try follow(&add.target, .arrayInsert(left), meeting)
      right = .addInteger(add)
      return verdict.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(
    _ left: inout ArrayMove, _ right: inout Instruction, _ meeting: Meeting, storing store: (ArrayMove) -> Void
  ) throws(RuleFailure) -> Verdict {
    switch right {
    case .update(var update):
      guard meeting.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      try move(left, meets: &update)
      right = .update(update)
      return PairRules.nothing
    case .arrayInsert(var insert):
      guard meeting.isSameContainer(left.target, insert.target) else { return PairRules.nothing }
      try move(&left, meets: &insert, meeting)
      store(left)
      right = .arrayInsert(insert)
      return PairRules.nothing
    case .arrayMove(var other):
      guard meeting.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      let verdict = try move(&left, meets: &other, meeting)
      store(left)
      right = .arrayMove(other)
      return verdict
    case .eraseColumn:
      return SchemaRules.eraseColumn(meets: meeting)
    case .addInteger(var add):
      let verdict = try follow(&add.target, .arrayMove(left), meeting)
      right = .addInteger(add)
      return verdict.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(
    _ left: inout ArrayErase, _ right: inout Instruction, _ meeting: Meeting, storing store: (ArrayErase) -> Void
  ) throws(RuleFailure) -> Verdict {
    switch right {
    case .update(var update):
      guard meeting.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      let verdict = try erase(&left, meets: &update)
      right = .update(update)
      return verdict
    case .arrayInsert(var insert):
      guard meeting.isSameContainer(left.target, insert.target) else { return PairRules.nothing }
      try erase(&left, meets: &insert)
      store(left)
      right = .arrayInsert(insert)
      return PairRules.nothing
    case .arrayMove(var move):
      guard meeting.isSameContainer(left.target, move.target) else { return PairRules.nothing }
      let verdict = try erase(&left, meets: &move)
      store(left)
      right = .arrayMove(move)
      return verdict
    case .arrayErase(var other):
      guard meeting.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      let verdict = try erase(&left, meets: &other)
      store(left)
      right = .arrayErase(other)
      return verdict
    case .eraseColumn:
      return SchemaRules.eraseColumn(meets: meeting)
    case .addInteger(var add):
      let verdict = try follow(&add.target, .arrayErase(left), meeting)
      right = .addInteger(add)
      return verdict.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }
}
