import DataModel

/// Makes one addition of several to one place, or raises the value that was written before them.
///
///     n = 5, n += 1, n += 2      becomes      n = 8
struct AdditionFolding {
  /// Where an addition or the writing of an integer stands.
  private struct Spot {
    var entry: Int
    var position: Int
  }

  private var names = Names()
  /// By object: the last instruction of each field that can take up an addition.
  private var open: [Int: [Int: Spot]] = [:]

  static func fold(_ entries: inout ArraySlice<Changeset>) {
    var folding = AdditionFolding()
    for entry in entries.indices {
      var emptied: [Int] = []
      for position in entries[entry].instructions.indices {
        if folding.takesUp(entries[entry].instructions[position], Spot(entry: entry, position: position), &entries) {
          emptied.append(position)
        }
      }
      for position in emptied.reversed() { entries[entry].instructions.remove(at: position) }
      folding.shift(entry, emptied)
    }
  }

  /// Whether an earlier instruction took up this one.
  private mutating func takesUp(
    _ instruction: Instruction, _ spot: Spot, _ entries: inout ArraySlice<Changeset>
  ) -> Bool {
    let address = names.address(of: instruction)
    switch instruction {
    case .addInteger(let add) where add.target.path.isEmpty:
      guard let earlier = open[address.object]?[address.column],
        entries[earlier.entry].instructions[earlier.position].add(add.amount)
      else {
        open[address.object, default: [:]][address.column] = spot
        return false
      }
      return true
    case .update(let update) where update.target.path.isEmpty:
      if case .int = update.payload {
        open[address.object, default: [:]][address.column] = spot
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

  /// Positions in an entry after some of its instructions went away.
  private mutating func shift(_ entry: Int, _ removed: [Int]) {
    guard !removed.isEmpty else { return }
    for (object, spots) in open {
      for (column, spot) in spots where spot.entry == entry {
        let before = removed.count { $0 < spot.position }
        open[object]?[column]?.position -= before
      }
    }
  }
}

extension Instruction {
  /// Raises an addition or a written integer; returns false when this is neither.
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
    default: return false
    }
  }
}
