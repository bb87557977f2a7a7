/// Every instruction of one side against every instruction of the other: the law that the fast engine is held to.
///
///     for each local instruction l, oldest first
///       for each incoming instruction i, oldest first
///         l and i meet; either may change or be dropped
///
/// A changed l meets the next i in its changed form, and the changed i meets the next l.
enum PlainEngine {
  static func merge(
    local: inout Branch, incoming: inout Branch, mode: Transformer.Mode
  ) throws(TransformError) {
    var l = 0
    while l < local.slots.count {
      var i = 0
      while i < incoming.slots.count {
        if !incoming.slots[i].isDropped {
          try transformPair(&local, l, &incoming, &i, mode)
          if local.slots[l].isDropped { break }
        }
        i += 1
      }
      l += 1
    }
  }

  /// Transforms one pair of instructions against each other, and performs the resolution.
  static func transformPair(
    _ local: inout Branch, _ l: Int, _ incoming: inout Branch, _ i: inout Int, _ mode: Transformer.Mode
  ) throws(TransformError) {
    let resolution: Resolution
    do {
      resolution = try Rules.merge(&local.slots[l], &incoming.slots[i], mode: mode)
    } catch {
      throw TransformError(
        reason: error.reason, message: error.message, local: TransformError.ConflictingInstruction(local.slots[l]),
        incoming: TransformError.ConflictingInstruction(incoming.slots[i]))
    }
    if resolution.isEmpty { return }
    if resolution.contains(.dropLeft) { local.slots[l].isDropped = true }
    if resolution.contains(.dropRight) { incoming.slots[i].isDropped = true }
    guard resolution.contains(.eraseColumnFirst) else { return }
    if local.slots[l].code == .eraseTable {
      // The new instruction takes the place of the current one and goes on from here; the class is erased after it.
      local.slots.insert(Slot(erasing: incoming.slots[i], before: local.slots[l]), at: l)
    } else {
      incoming.slots.insert(Slot(erasing: local.slots[l], before: incoming.slots[i]), at: i)
      i += 1
    }
  }
}

extension Slot {
  /// The erasure of a column that the other side just added, to stand before the erasure of a class.
  init(erasing column: Slot, before erasure: Slot) {
    var instruction = column.instruction
    if case .addColumn(let add) = instruction {
      instruction = .eraseColumn(EraseColumn(table: add.table, field: add.field))
    }
    self.init(
      instruction: instruction, code: .eraseColumn, address: column.address, origin: erasure.origin,
      changeset: erasure.changeset, position: erasure.position)
  }
}

extension TransformError.ConflictingInstruction {
  init(_ slot: Slot) {
    self.init(instruction: slot.instruction, changeset: slot.changeset, position: slot.position)
  }
}
