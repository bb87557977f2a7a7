import DataModel

/// Long runs of edits of one list, carried over each other as plain numbers.
///
/// The rules are those of ``ListRules``, written for indices alone and without branches where branches could not be
/// predicted. Sizes need no checks in the loop: when each side's prior sizes form a chain and both begin with the same
/// size, they agree at every pair of edits. Runs for which that does not hold are left to the plain loop, which names the
/// culprits.
struct ListRun {
  enum Kind: UInt8 { case insert, set, erase, move, dropped }

  /// One list edit.
  struct Edit {
    var index: Int32
    /// Where a move leads.
    var destination: Int32 = 0
    /// The rank of its origin among all origins of the merge.
    var rank: Int32
    /// By how much it makes the list longer.
    var delta: Int32
    var priorSize: Int32
    var kind: Kind
    /// What a write writes, as far as rules care.
    var content = Content.value
    /// 1 for an insertion that is half of a move.
    var isMoved: Int32 = 0
    /// Its place in the branch.
    var place: Int32
  }

  enum Content: UInt8 { case value, object, list, dictionary }

  var edits: [Edit]
  /// The sum of the deltas of the edits that are not dropped.
  var growth: Int32 = 0
  /// What the edits' prior sizes are to be raised by.
  var raise: Int32 = 0

  init() { edits = [] }

  mutating func append(_ edit: Edit) {
    edits.append(edit)
    growth += edit.delta
  }

  /// Merges the group; returns false, with nothing changed, when it is not made of consistent edits of one list.
  static func merge(_ group: Group, _ local: inout Branch, _ incoming: inout Branch) -> Bool {
    guard group.local.count > 1 || group.incoming.count > 1, let place = group.local.first,
      let list = local.slots[place].instruction.target?.path.dropLast()
    else { return false }
    var origins: [ChangesetOrigin] = []
    for place in group.local where origins.last != local.slots[place].origin {
      origins.append(local.slots[place].origin)
    }
    for place in group.incoming where origins.last != incoming.slots[place].origin {
      origins.append(incoming.slots[place].origin)
    }
    origins.sort()
    var ranks: [ChangesetOrigin: Int32] = [:]
    ranks.reserveCapacity(origins.count)
    for origin in origins where ranks[origin] == nil { ranks[origin] = Int32(ranks.count) }
    guard var left = ListRun(group.local, local, Array(list), ranks),
      var right = ListRun(group.incoming, incoming, Array(list), ranks),
      left.edits.first?.priorSize == right.edits.first?.priorSize
    else { return false }
    if !ListInsertions.transform(&left, &right), !ListSegments.transform(&left, &right) { left.transform(with: &right) }
    left.write(to: &local)
    right.write(to: &incoming)
    return true
  }

  /// The edits at these places; nil when one is not an edit of that list, or when sizes or indices cannot be right.
  private init?(_ places: [Int], _ branch: Branch, _ list: [PathElement], _ ranks: [ChangesetOrigin: Int32]) {
    edits = []
    edits.reserveCapacity(places.count)
    var size: Int32?
    var (origin, rank) = (branch.slots[places[0]].origin, ranks[branch.slots[places[0]].origin] ?? 0)
    for place in places {
      let slot = branch.slots[place]
      if slot.origin != origin { (origin, rank) = (slot.origin, ranks[slot.origin] ?? 0) }
      guard let edit = Edit(slot.instruction, list, rank, Int32(place)), size == nil || size == edit.priorSize else {
        return nil
      }
      size = edit.priorSize + edit.delta
      growth += edit.delta
      edits.append(edit)
    }
  }

  /// Writes the numbers back into the instructions.
  private func write(to branch: inout Branch) {
    for edit in edits {
      let place = Int(edit.place)
      guard edit.kind != .dropped else {
        branch.slots[place].isDropped = true
        continue
      }
      branch.slots[place].instruction.set(
        index: UInt32(edit.index), destination: UInt32(edit.destination), priorSize: UInt32(edit.priorSize + raise))
    }
  }
}

extension ListRun.Edit {
  /// The longest list whose indices stay far from the limits of the numbers used here.
  private static let sizeLimit: UInt32 = 1 << 29

  /// The numbers of a list instruction; nil when it is another instruction, another list or out of range.
  init?(_ instruction: Instruction, _ list: [PathElement], _ rank: Int32, _ place: Int32) {
    let target: Target
    let size: UInt32
    var limit: UInt32
    switch instruction {
    case .arrayInsert(let it):
      (target, size, limit) = (it.target, it.priorSize, it.priorSize)
      self.init(index: 0, rank: rank, delta: 1, priorSize: 0, kind: .insert, place: place)
    case .arrayErase(let it):
      (target, size, limit) = (it.target, it.priorSize, it.priorSize &- 1)
      self.init(index: 0, rank: rank, delta: -1, priorSize: 0, kind: .erase, place: place)
    case .arrayMove(let it):
      guard it.destination < it.priorSize, it.priorSize < Self.sizeLimit else { return nil }
      (target, size, limit) = (it.target, it.priorSize, it.priorSize &- 1)
      self.init(
        index: 0, destination: Int32(it.destination), rank: rank, delta: 0, priorSize: 0, kind: .move, place: place)
    case .update(let it):
      guard let priorSize = it.priorSize else { return nil }
      (target, size, limit) = (it.target, priorSize, priorSize &- 1)
      let content: ListRun.Content =
        switch it.payload {
        case .objectValue: .object
        case .list: .list
        case .dictionary: .dictionary
        default: .value
        }
      self.init(index: 0, rank: rank, delta: 0, priorSize: 0, kind: .set, content: content, place: place)
    case .addTable, .eraseTable, .createObject, .eraseObject, .addInteger, .addColumn, .eraseColumn, .clear,
      .setInsert, .setErase:
      return nil
    }
    guard let index = target.index, target.path.count == list.count + 1, list.isPrefix(of: target.path),
      size < Self.sizeLimit, kind == .insert || size > 0, index <= limit
    else { return nil }
    self.index = Int32(index)
    priorSize = Int32(size)
  }
}

extension Instruction {
  /// Sets the numbers of a list instruction.
  fileprivate mutating func set(index: UInt32, destination: UInt32, priorSize: UInt32) {
    switch self {
    case .arrayInsert(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .arrayInsert(it)
    case .arrayErase(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .arrayErase(it)
    case .arrayMove(var it):
      it.target.index = index
      it.destination = destination
      it.priorSize = priorSize
      self = .arrayMove(it)
    case .update(var it) where it.target.index != index || it.priorSize != priorSize:
      it.target.index = index
      it.priorSize = priorSize
      self = .update(it)
    default: break
    }
  }
}
