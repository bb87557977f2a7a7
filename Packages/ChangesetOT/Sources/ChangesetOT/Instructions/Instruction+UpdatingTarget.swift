extension Instruction {
  /// Applies a change to the target; does nothing when the instruction has none.
  mutating func updateTarget(_ change: (inout Target) -> Void) {
    switch self {
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject: break
    case .update(var it):
      change(&it.target)
      self = .update(it)
    case .addInteger(var it):
      change(&it.target)
      self = .addInteger(it)
    case .arrayInsert(var it):
      change(&it.target)
      self = .arrayInsert(it)
    case .arrayMove(var it):
      change(&it.target)
      self = .arrayMove(it)
    case .arrayErase(var it):
      change(&it.target)
      self = .arrayErase(it)
    case .clear(var it):
      change(&it.target)
      self = .clear(it)
    case .setInsert(var it):
      change(&it.target)
      self = .setInsert(it)
    case .setErase(var it):
      change(&it.target)
      self = .setErase(it)
    }
  }
}
