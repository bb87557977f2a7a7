/// Rules for pairs of instructions, the one with the higher code on the left: 14 · 15 / 2 = 105 pairs.
///
/// Every family decides its row of the matrix in a switch without `default`: a new instruction does not compile until all
/// its pairs are decided. Columns in parentheses are ours: the reference has no rule there, and diverges or fails.
///
///     row            columns with a rule
///     AddTable       AddTable
///     EraseTable     AddTable EraseTable
///     CreateObject   -
///     EraseObject    CreateObject EraseObject
///     Update         Update
///     AddInteger     Update
///     AddColumn      EraseTable AddColumn
///     EraseColumn    Update AddColumn EraseColumn (and AddInteger)
///     ArrayInsert    Update ArrayInsert (and AddInteger, EraseColumn)
///     ArrayMove      Update ArrayInsert ArrayMove (and AddInteger, EraseColumn)
///     ArrayErase     Update ArrayInsert ArrayMove ArrayErase (and AddInteger, EraseColumn)
///     Clear          Update AddInteger Clear (and ArrayInsert ArrayMove ArrayErase, EraseColumn)
///     SetInsert      Clear SetInsert (and EraseColumn)
///     SetErase       Clear SetInsert SetErase (and EraseColumn)
enum PairRules {
  static func merge(
    _ left: inout Instruction, _ right: inout Instruction, _ pair: ConflictPair
  ) throws(RuleFailure) -> Resolution {
    switch left {
    case .addTable(let it): try SchemaRules.merge(it, right, pair)
    case .eraseTable(let it): SchemaRules.merge(it, right, pair)
    case .addColumn(let it): try SchemaRules.merge(it, right, pair)
    case .eraseColumn(let it): SchemaRules.merge(it, right, pair)
    case .createObject(let it): ObjectRules.merge(it, right, pair)
    case .eraseObject(let it): ObjectRules.merge(it, right, pair)
    case .update(let it): try ValueRules.merge(it, right, pair)
    case .addInteger(let it): ValueRules.merge(it, &right, pair)
    case .clear(var it):
      try ValueRules.merge(&it, right, pair, storing: { left = .clear($0) })
    case .arrayInsert(var it):
      try ListRules.merge(&it, &right, pair, storing: { left = .arrayInsert($0) })
    case .arrayMove(var it):
      try ListRules.merge(&it, &right, pair, storing: { left = .arrayMove($0) })
    case .arrayErase(var it):
      try ListRules.merge(&it, &right, pair, storing: { left = .arrayErase($0) })
    case .setInsert(let it): SetRules.merge(it, right, pair)
    case .setErase(let it): SetRules.merge(it, right, pair)
    }
  }

  /// The result for pairs whose right side has the higher code: such pairs are decided with the sides exchanged.
  static let decidedFromTheOtherSide: Resolution = []
  /// The result for pairs that do not conflict.
  static let nothing: Resolution = []
}
