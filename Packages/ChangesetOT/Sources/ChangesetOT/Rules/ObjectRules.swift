/// Creating and erasing objects.
enum ObjectRules {
  static func merge(_ left: CreateObject, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // Creating an existing object does nothing: both stay.
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
    // RESOLUTION: erase always wins. An author who has seen the erasure can create the object again.
    case .createObject:
      return pair.isSameObject ? .dropRight : PairRules.nothing
    // CONFLICT: both sides erase the same object.
    //
    // RESOLUTION: the later erasure stays, so that an erase and create of the later side stays complete.
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
