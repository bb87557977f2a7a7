/// Adding values to sets and removing them.
enum SetRules {
  static func merge(_ left: SetInsert, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side empties the set, the other adds a value.
    //
    // RESOLUTION: clear wins, whatever the times say.
    case .clear(let clear):
      return pair.isSameTarget(left.target, clear.target) ? .dropLeft : PairRules.nothing
    // CONFLICT: both sides add the same value.
    //
    // RESOLUTION: the later one stays; a third side may have removed the value in between.
    case .setInsert(let right):
      return sameValue(left.target, left.payload, right.target, right.payload, pair)
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    case .addTable, .eraseTable, .createObject, .eraseObject, .update, .addInteger, .addColumn, .arrayInsert,
      .arrayMove, .arrayErase:
      return PairRules.nothing
    case .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(_ left: SetErase, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side empties the set, the other removes a value.
    //
    // RESOLUTION: the value is gone with the others.
    case .clear(let clear):
      return pair.isSameTarget(left.target, clear.target) ? .dropLeft : PairRules.nothing
    // CONFLICT: one side adds the value that the other removes.
    //
    // RESOLUTION: the later one decides.
    case .setInsert(let right):
      return sameValue(left.target, left.payload, right.target, right.payload, pair)
    // CONFLICT: both sides remove the same value.
    //
    // RESOLUTION: the later one stays.
    case .setErase(let right):
      return sameValue(left.target, left.payload, right.target, right.payload, pair)
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    case .addTable, .eraseTable, .createObject, .eraseObject, .update, .addInteger, .addColumn, .arrayInsert,
      .arrayMove, .arrayErase:
      return PairRules.nothing
    }
  }

  private static func sameValue(
    _ left: Target, _ leftValue: Payload, _ right: Target, _ rightValue: Payload, _ pair: ConflictPair
  ) -> Resolution {
    pair.isSameTarget(left, right) && leftValue.isSame(as: rightValue) ? pair.dropEarlier : PairRules.nothing
  }
}
