/// Inserting, moving and removing list elements.
///
/// Both sides start from one state, so edits of one list must name the same size. `ListRun` repeats these rules for runs of
/// edits as plain numbers: change both together.
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
    _ left: inout ArrayInsert, _ right: inout Instruction, _ pair: ConflictPair, storing store: (ArrayInsert) -> Void
  ) throws(RuleFailure) -> Resolution {
    switch right {
    case .update(var update):
      guard pair.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      try insert(&left, with: &update)
      right = .update(update)
      return PairRules.nothing
    case .arrayInsert(var other):
      guard pair.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      try insert(&left, with: &other, pair)
      store(left)
      right = .arrayInsert(other)
      return PairRules.nothing
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    case .addInteger(var add):
      let resolution = try follow(&add.target, .arrayInsert(left), pair)
      right = .addInteger(add)
      return resolution.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(
    _ left: inout ArrayMove, _ right: inout Instruction, _ pair: ConflictPair, storing store: (ArrayMove) -> Void
  ) throws(RuleFailure) -> Resolution {
    switch right {
    case .update(var update):
      guard pair.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      try move(left, with: &update)
      right = .update(update)
      return PairRules.nothing
    case .arrayInsert(var insert):
      guard pair.isSameContainer(left.target, insert.target) else { return PairRules.nothing }
      try move(&left, with: &insert, pair)
      store(left)
      right = .arrayInsert(insert)
      return PairRules.nothing
    case .arrayMove(var other):
      guard pair.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      let resolution = try move(&left, with: &other, pair)
      store(left)
      right = .arrayMove(other)
      return resolution
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    case .addInteger(var add):
      let resolution = try follow(&add.target, .arrayMove(left), pair)
      right = .addInteger(add)
      return resolution.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(
    _ left: inout ArrayErase, _ right: inout Instruction, _ pair: ConflictPair, storing store: (ArrayErase) -> Void
  ) throws(RuleFailure) -> Resolution {
    switch right {
    case .update(var update):
      guard pair.isSameContainer(left.target, update.target) else { return PairRules.nothing }
      let resolution = try erase(&left, with: &update)
      right = .update(update)
      return resolution
    case .arrayInsert(var insert):
      guard pair.isSameContainer(left.target, insert.target) else { return PairRules.nothing }
      try erase(&left, with: &insert)
      store(left)
      right = .arrayInsert(insert)
      return PairRules.nothing
    case .arrayMove(var move):
      guard pair.isSameContainer(left.target, move.target) else { return PairRules.nothing }
      let resolution = try erase(&left, with: &move)
      store(left)
      right = .arrayMove(move)
      return resolution
    case .arrayErase(var other):
      guard pair.isSameContainer(left.target, other.target) else { return PairRules.nothing }
      let resolution = try erase(&left, with: &other)
      store(left)
      right = .arrayErase(other)
      return resolution
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    case .addInteger(var add):
      let resolution = try follow(&add.target, .arrayErase(left), pair)
      right = .addInteger(add)
      return resolution.swapped
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }
}
