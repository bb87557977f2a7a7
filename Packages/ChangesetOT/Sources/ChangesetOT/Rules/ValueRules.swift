/// Writing, adding to and clearing one value.
enum ValueRules {
  static func merge(_ left: Update, _ right: Instruction, _ pair: ConflictPair) throws(RuleFailure) -> Resolution {
    switch right {
    case .update(let right):
      guard pair.isSameTarget(left.target, right.target) else { return PairRules.nothing }
      return try merge(left, right, pair)
    case .addTable, .eraseTable, .createObject, .eraseObject:
      return PairRules.nothing
    case .addInteger, .addColumn, .eraseColumn, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  // CONFLICT: both sides write the same value.
  //
  // RESOLUTION: the creation of an embedded object yields to any other value, so that everything below it goes too.
  // Two "there is a list" (or dictionary) agree. Two objects made under one dictionary key become one: both creations are
  // dropped, since applying one would replace the object that the other side has filled already. (The reference keeps the
  // later creation, and diverges.) A default yields to a real write. Otherwise the later write wins.
  private static func merge(_ left: Update, _ right: Update, _ pair: ConflictPair) throws(RuleFailure) -> Resolution {
    guard left.priorSize == right.priorSize else {
      throw .list("two writes of one list element disagree about the size of the list")
    }
    let leftType = left.payload.type
    let rightType = right.payload.type
    if leftType != rightType {
      if leftType == .objectValue { return .dropLeft }
      if rightType == .objectValue { return .dropRight }
    }
    if leftType == rightType, leftType == .list || leftType == .dictionary { return PairRules.nothing }
    if leftType == rightType, leftType == .objectValue, pair.mode == .intended, case .name? = left.target.path.last {
      return .dropBoth
    }
    if left.isRealWrite != right.isRealWrite { return left.isRealWrite ? .dropRight : .dropLeft }
    return pair.dropEarlier
  }

  static func merge(_ left: AddInteger, _ right: inout Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side adds to a number that the other writes.
    //
    // RESOLUTION: a later real write absorbs the addition. An earlier write, or a default, is raised by the amount: on
    // the side that has added already, the raised write gives the same sum. Null stays null.
    case .update(var update):
      guard pair.isSameTarget(left.target, update.target) else { return PairRules.nothing }
      if pair.leftIsEarlier && update.isRealWrite { return .dropLeft }
      switch update.payload {
      case .null:
        return PairRules.nothing
      case .int(let value):
        update.payload = .int(value &+ left.amount)
        right = .update(update)
        return PairRules.nothing
      case .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link, .objectId, .uuid, .objectValue,
        .dictionary, .erased, .list, .set:
        return .dropLeft
      }
    // Both additions count.
    case .addInteger:
      return PairRules.nothing
    case .addTable, .eraseTable, .createObject, .eraseObject:
      return PairRules.nothing
    case .addColumn, .eraseColumn, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(
    _ left: inout Clear, _ right: Instruction, _ pair: ConflictPair, storing store: (Clear) -> Void
  ) throws(RuleFailure) -> Resolution {
    switch right {
    // CONFLICT: one side empties a collection in a mixed value, the other writes that value.
    //
    // RESOLUTION: "becomes a list" and "empty the list" agree, so do the two for dictionaries. Otherwise the later
    // one stays.
    case .update(let update):
      guard pair.isSameTarget(left.target, update.target) else { return PairRules.nothing }
      switch update.payload {
      case .list: return left.collection == .list ? PairRules.nothing : pair.dropEarlier
      case .dictionary: return left.collection == .dictionary ? PairRules.nothing : pair.dropEarlier
      case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link, .objectId, .uuid,
        .objectValue, .erased, .set:
        return pair.dropEarlier
      }
    // CONFLICT: one side adds to a mixed value that the other turns into an empty collection.
    //
    // RESOLUTION: nothing is left to add to.
    case .addInteger(let add):
      return pair.isSameTarget(left.target, add.target) ? .dropRight : PairRules.nothing
    // CONFLICT: both sides empty a collection.
    //
    // RESOLUTION: the later clear stays: content that the later side put in after its clear survives, content of the
    // earlier side does not.
    case .clear(let right):
      return pair.isSameTarget(left.target, right.target) ? pair.dropEarlier : PairRules.nothing
    case .eraseColumn:
      return SchemaRules.eraseColumn(in: pair)
    // The emptied collection may itself be an element of the list that the other side edits.
    case .arrayInsert, .arrayMove, .arrayErase:
      let resolution = try ListRules.follow(&left.target, right, pair)
      store(left)
      return resolution
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn:
      return PairRules.nothing
    case .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }
}

extension Update {
  /// Whether the value is no default of a schema; list elements have no defaults.
  fileprivate var isRealWrite: Bool { !isDefault || priorSize != nil }
}
