import DataModel

/// Declaring and erasing classes and fields.
enum SchemaRules {
  static func merge(_ left: AddTable, _ right: Instruction, _ pair: ConflictPair) throws(RuleFailure) -> Resolution {
    switch right {
    // CONFLICT: both sides declare the same class.
    //
    // RESOLUTION: equal declarations are one: both are dropped. Different declarations are refused.
    case .addTable(let right):
      guard pair.left.table == pair.right.table else { return PairRules.nothing }
      guard left.kind == right.kind else {
        throw .schema("class \(left.table) is declared \(left.kind.word) here and \(right.kind.word) there")
      }
      guard left.isSameKey(as: right) else {
        throw .schema("class \(left.table) is declared with different primary keys")
      }
      return .dropBoth
    case .eraseTable, .createObject, .eraseObject, .update, .addInteger, .addColumn, .eraseColumn, .arrayInsert,
      .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(_ left: EraseTable, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side erases a class that the other declares again.
    //
    // RESOLUTION: the class is gone.
    case .addTable:
      return pair.left.table == pair.right.table ? .dropRight : PairRules.nothing
    // CONFLICT: both sides erase the same class.
    //
    // RESOLUTION: once is enough.
    case .eraseTable:
      return pair.left.table == pair.right.table ? .dropBoth : PairRules.nothing
    case .createObject, .eraseObject, .update, .addInteger, .addColumn, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(_ left: AddColumn, _ right: Instruction, _ pair: ConflictPair) throws(RuleFailure) -> Resolution {
    switch right {
    // CONFLICT: one side adds a column of links to a class that the other erases.
    //
    // RESOLUTION: the column is not added; where it exists already, it is erased before the class, since no class can be
    // erased while a column links to it.
    case .eraseTable(let right):
      guard left.type == .link, let target = left.linkTarget, target.isIdentical(to: right.table) else {
        return PairRules.nothing
      }
      return [.dropLeft, .eraseColumnFirst]
    // CONFLICT: both sides declare the same field.
    //
    // RESOLUTION: equal declarations are one: both are dropped. Different declarations are refused.
    case .addColumn(let right):
      guard pair.left.isSameColumn(as: pair.right) else { return PairRules.nothing }
      guard left.type == right.type, left.isNullable == right.isNullable, left.collection == right.collection,
        left.type != .link || (left.linkTarget ?? "").isIdentical(to: right.linkTarget ?? "")
      else {
        throw .schema("field \(left.table).\(left.field) is declared with different types")
      }
      return .dropBoth
    case .addTable, .createObject, .eraseObject, .update, .addInteger:
      return PairRules.nothing
    case .eraseColumn, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  static func merge(_ left: EraseColumn, _ right: Instruction, _ pair: ConflictPair) -> Resolution {
    switch right {
    // CONFLICT: one side erases a field that the other writes.
    //
    // RESOLUTION: the field is gone, the write is dropped.
    case .update:
      return pair.left.isSameColumn(as: pair.right) ? .dropRight : PairRules.nothing
    // The same holds for additions; the reference keeps them and fails to apply them.
    case .addInteger:
      return drops(pair)
    // CONFLICT: one side erases a field that the other declares again.
    //
    // RESOLUTION: the field is gone.
    case .addColumn:
      return pair.left.isSameColumn(as: pair.right) ? .dropRight : PairRules.nothing
    // CONFLICT: both sides erase the same field.
    //
    // RESOLUTION: once is enough.
    case .eraseColumn:
      return pair.left.isSameColumn(as: pair.right) ? .dropBoth : PairRules.nothing
    case .addTable, .eraseTable, .createObject, .eraseObject:
      return PairRules.nothing
    case .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      return PairRules.decidedFromTheOtherSide
    }
  }

  /// The resolution for an erased column on the right and an edit of it, other than an update, on the left.
  static func eraseColumn(in pair: ConflictPair) -> Resolution { drops(pair).swapped }

  private static func drops(_ pair: ConflictPair) -> Resolution {
    guard pair.mode == .intended, pair.left.isSameColumn(as: pair.right) else { return PairRules.nothing }
    return .dropRight
  }
}

extension AddTable {
  fileprivate func isSameKey(as other: AddTable) -> Bool {
    switch (primaryKey, other.primaryKey) {
    case (nil, nil): true
    case (let left?, let right?):
      left.field.isIdentical(to: right.field) && left.type == right.type && left.isNullable == right.isNullable
    case (nil, _?), (_?, nil): false
    }
  }
}
