/// Creating and erasing objects.
enum ObjectRules {
  static func merge(_ left: CreateObject, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // Creation does nothing when the object exists: both stay.
    case .createObject:
      return PairRules.nothing
    case .addTable, .eraseTable:
      return PairRules.nothing
    case .eraseObject, .update, .addInteger, .addColumn, .eraseColumn, .arrayInsert, .arrayMove, .arrayErase, .clear,
      .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(_ left: EraseObject, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side erases an object that the other creates.
    //
    // RESOLUTION: erase always wins. Who wants the object back creates it after having seen the erasure.
    case .createObject:
      return pair.isSameObject ? .dropRight : PairRules.nothing
    // CONFLICT: both sides erase the same object.
    //
    // RESOLUTION: the later erasure stays, so that an erase-then-create of the later side stays whole.
    case .eraseObject:
      return pair.isSameObject ? pair.dropEarlier : PairRules.nothing
    case .addTable, .eraseTable:
      return PairRules.nothing
    case .update, .addInteger, .addColumn, .eraseColumn, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert,
      .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }
}
