import DataModel

/// Folds several additions to one field into one, or into the write before them.
///
///     n = 5, n += 1, n += 2      becomes      n = 8
struct AdditionFolding {
  /// The position of an addition, or of a write of an integer.
  private struct Location {
    var entry: Int
    var position: Int
  }

  private var interner = AddressInterner()
  /// By object and field: the last instruction that can absorb an addition.
  private var open: [Int: [Int: Location]] = [:]

  static func fold(_ entries: inout ArraySlice<Changeset>) {
    var folding = AdditionFolding()
    for entry in entries.indices {
      var emptied: [Int] = []
      for position in entries[entry].instructions.indices {
        if folding.absorbs(entries[entry].instructions[position], Location(entry: entry, position: position), &entries)
        {
          emptied.append(position)
        }
      }
      for position in emptied.reversed() { entries[entry].instructions.remove(at: position) }
      folding.shift(entry, emptied)
    }
  }

  /// Whether an earlier instruction absorbed this one.
  private mutating func absorbs(
    _ instruction: Instruction, _ location: Location, _ entries: inout ArraySlice<Changeset>
  ) -> Bool {
    let address = interner.address(of: instruction)
    switch instruction {
    case .addInteger(let add) where add.target.path.isEmpty:
      guard let earlier = open[address.object]?[address.column],
        entries[earlier.entry].instructions[earlier.position].add(add.amount)
      else {
        open[address.object, default: [:]][address.column] = location
        return false
      }
      return true
    case .update(let update) where update.target.path.isEmpty:
      if case .int = update.payload {
        open[address.object, default: [:]][address.column] = location
      } else {
        open[address.object]?[address.column] = nil
      }
    case .clear: open[address.object]?[address.column] = nil
    case .eraseObject, .createObject: open[address.object] = nil
    case .eraseTable, .eraseColumn, .addTable, .addColumn: open = [:]
    case .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .setInsert, .setErase: break
    }
    return false
  }

  /// Adjusts positions in an entry to the removal of instructions.
  private mutating func shift(_ entry: Int, _ removed: [Int]) {
    guard !removed.isEmpty else { return }
    for (object, columns) in open {
      for (column, location) in columns where location.entry == entry {
        let before = removed.count { $0 < location.position }
        open[object]?[column]?.position -= before
      }
    }
  }
}

extension Instruction {
  /// Adds to an addition or to a written integer; returns false for every other instruction.
  fileprivate mutating func add(_ amount: Int64) -> Bool {
    switch self {
    case .addInteger(var it):
      it.amount &+= amount
      self = .addInteger(it)
      return true
    case .update(var it):
      guard case .int(let value) = it.payload else { return false }
      it.payload = .int(value &+ amount)
      self = .update(it)
      return true
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear, .setInsert, .setErase:
      return false
    }
  }
}
