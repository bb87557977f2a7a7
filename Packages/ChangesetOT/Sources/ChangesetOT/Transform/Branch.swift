import DataModel

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
  var slots: [Slot] = []
  /// Whether a class or a column is declared or erased.
  private(set) var hasSchema = false

  /// - Parameters:
  ///   - expected: how many instructions room is set aside for; more may come.
  ///   - isNeeded: whether an instruction can meet anything; others stay out of the row, and as they are.
  init(
    _ changesets: [Changeset], expected: Int, names: inout Names,
    where isNeeded: (Instruction, Names) -> Bool = { _, _ in true }
  ) {
    slots.reserveCapacity(expected)
    for (number, changeset) in changesets.enumerated() {
      for (position, instruction) in changeset.instructions.enumerated() where isNeeded(instruction, names) {
        let slot = Slot(
          instruction: instruction, code: instruction.code, address: names.address(of: instruction),
          origin: changeset.origin, changeset: number, position: position)
        if slot.level < 3, slot.address.object < 0 { hasSchema = true }
        slots.append(slot)
      }
    }
  }

  /// Writes what is left back into the changesets.
  ///
  /// - Returns: the places of those that differ now; and of those that have lost or gained instructions, where each one
  ///   that is left stood before.
  func write(to changesets: inout [Changeset]) -> (changed: [Int], sources: [Int: [Int]]) {
    var changed: [Int] = []
    var sources: [Int: [Int]] = [:]
    var next = 0
    for number in changesets.indices {
      guard next < slots.count else { break }
      guard slots[next].changeset == number else { continue }
      let old = changesets[number].instructions
      let first = next
      var left: [Instruction] = []
      left.reserveCapacity(old.count)
      for position in old.indices {
        guard next < slots.count, slots[next].changeset == number, slots[next].position == position else {
          left.append(old[position])
          continue
        }
        while next < slots.count, slots[next].changeset == number, slots[next].position == position {
          if !slots[next].isDropped { left.append(slots[next].instruction) }
          next += 1
        }
      }
      guard left != old else { continue }
      changesets[number].instructions = left
      changed.append(number)
      if slots[first..<next].contains(where: \.isDropped) || left.count != old.count {
        sources[number] = self.sources(of: old.indices, in: slots[first..<next])
      }
    }
    return (changed, sources)
  }

  /// Where each instruction that is left of a changeset stood before.
  private func sources(of positions: Range<Int>, in slots: ArraySlice<Slot>) -> [Int] {
    var sources: [Int] = []
    sources.reserveCapacity(positions.count)
    var rest = slots
    for position in positions {
      guard rest.first?.position == position else {
        sources.append(position)
        continue
      }
      while let slot = rest.first, slot.position == position {
        if !slot.isDropped { sources.append(position) }
        rest.removeFirst()
      }
    }
    return sources
  }
}

extension Sequence<Changeset> {
  /// How many instructions the changesets have together.
  var instructionCount: Int { reduce(0) { $0 + $1.instructions.count } }
}

extension Instruction {
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
