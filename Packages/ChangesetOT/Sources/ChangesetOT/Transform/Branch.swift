/// One instruction on its way through a merge.
struct Slot {
  var instruction: Instruction
  let code: InstructionCode
  let address: Address
  let origin: ChangesetOrigin
  /// The place of its changeset in the branch.
  let changeset: Int
  /// Its place in that changeset as handed in.
  let position: Int
  var isDropped = false

  /// How many path components the instruction addresses: 1 a class, 2 an object or column, 3 and more a field.
  var level: Int {
    switch code {
    case .addTable, .eraseTable: 1
    case .createObject, .eraseObject, .addColumn, .eraseColumn: 2
    case .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      3 + (instruction.target?.path.count ?? 0)
    }
  }
}

/// One side of a merge: the instructions of its changesets in one row.
struct Branch {
  var slots: [Slot]

  init(_ changesets: [Changeset], names: inout Names) {
    slots = []
    slots.reserveCapacity(changesets.reduce(0) { $0 + $1.instructions.count })
    for (number, changeset) in changesets.enumerated() {
      for (position, instruction) in changeset.instructions.enumerated() {
        slots.append(
          Slot(
            instruction: instruction, code: instruction.code, address: names.address(of: instruction),
            origin: changeset.origin, changeset: number, position: position))
      }
    }
  }

  /// Writes what is left back into the changesets; returns the places of those that differ now.
  func write(to changesets: inout [Changeset]) -> [Int] {
    var changed: [Int] = []
    var next = 0
    for number in changesets.indices {
      let first = next
      while next < slots.count, slots[next].changeset == number { next += 1 }
      let left = slots[first..<next].lazy.filter { !$0.isDropped }.map(\.instruction)
      guard !left.elementsEqual(changesets[number].instructions) else { continue }
      changesets[number].instructions = Array(left)
      changed.append(number)
    }
    return changed
  }
}

extension Instruction {
  /// What a target instruction applies to; nil for the others.
  var target: Target? {
    switch self {
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject: nil
    case .update(let it): it.target
    case .addInteger(let it): it.target
    case .arrayInsert(let it): it.target
    case .arrayMove(let it): it.target
    case .arrayErase(let it): it.target
    case .clear(let it): it.target
    case .setInsert(let it): it.target
    case .setErase(let it): it.target
    }
  }

  /// Applies a change to the target of a target instruction.
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
