import DataModel

/// One side of a merge: the instructions of its changesets as one array of slots, ordered by changeset and position.
struct Branch {
  var slots: [Slot] = []
  /// Whether a class or a column is declared or erased.
  private(set) var hasSchema = false

  /// - Parameters:
  ///   - expected: the number of slots for which memory is reserved; more may follow.
  ///   - isNeeded: whether an instruction can conflict with the other side; all others get no slot and stay unchanged.
  init(
    _ changesets: [Changeset], expected: Int, interner: inout AddressInterner,
    where isNeeded: (Instruction, AddressInterner) -> Bool = { _, _ in true }
  ) {
    slots.reserveCapacity(expected)
    for (number, changeset) in changesets.enumerated() {
      for (position, instruction) in changeset.instructions.enumerated() where isNeeded(instruction, interner) {
        let slot = Slot(
          instruction: instruction, code: instruction.code, address: interner.address(of: instruction),
          origin: changeset.origin, changeset: number, position: position)
        if slot.level < 3, slot.address.object < 0 { hasSchema = true }
        slots.append(slot)
      }
    }
  }

  /// Writes the slots back into the changesets.
  ///
  /// - Returns: the indices of the changesets that differ; and, for those with dropped or inserted instructions, the
  ///   original position of each instruction that is left.
  /// - Complexity: O(*n*) in the number of instructions of the changesets with slots.
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

  /// The original position of each instruction that is left of one changeset.
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
  /// The number of instructions of all changesets together.
  var instructionCount: Int { reduce(0) { $0 + $1.instructions.count } }
}
