import DataModel

/// The edits of one side on one list, as plain numbers.
///
/// Law: the result is that of ``ListRules`` for every pair (`Docs/Algebra.md`, "The engines agree"). A change of ``ListRules``
/// is repeated in `ListRun+Transforming` and `ListRun+ErasesAndMoves`. Without this form the benchmark rows `ot.listMix-10k`
/// and `ot.listMix-growth` fail.
///
/// Sizes need no checks in the loop: when the prior sizes of each side form a chain and both chains begin with the same
/// size, sizes agree at every pair of edits. Other runs are left to the plain loop, which throws the error.
struct ListRun {
  enum Kind: UInt8 { case insert, set, erase, move, dropped }

  /// One list edit.
  struct Edit {
    var index: Int32
    /// The destination of a move.
    var destination: Int32 = 0
    /// The rank of its origin among all origins of the merge.
    var rank: Int32
    /// The growth of the list: 1, 0 or -1.
    var delta: Int32
    var priorSize: Int32
    var kind: Kind
    /// The kind of value of a write, as far as rules distinguish them.
    var content = Content.value
    /// 1 for the insertion that a move between two segments is split into; see ``ListSegments``.
    var isMoved: Int32 = 0
    /// The index of its slot in the branch.
    var slot: Int32
  }

  enum Content: UInt8 { case value, object, list, dictionary }

  var edits: [Edit]
  /// The sum of the deltas of the edits that are not dropped.
  var growth: Int32 = 0
  /// The number that is added to the prior size of every edit when the run is written back.
  var raise: Int32 = 0

  init() { edits = [] }

  mutating func append(_ edit: Edit) {
    edits.append(edit)
    growth += edit.delta
  }

  /// Transforms a group; returns false, with nothing changed, unless it consists of consistent edits of one list.
  static func merge(_ group: Group, _ local: inout Branch, _ incoming: inout Branch) -> Bool {
    guard group.local.count > 1 || group.incoming.count > 1, let first = group.local.first,
      let list = local.slots[first].instruction.target?.path.dropLast()
    else { return false }
    var origins: [ChangesetOrigin] = []
    for index in group.local where origins.last != local.slots[index].origin {
      origins.append(local.slots[index].origin)
    }
    for index in group.incoming where origins.last != incoming.slots[index].origin {
      origins.append(incoming.slots[index].origin)
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

  /// The edits in these slots; nil when one is no edit of that list, or when sizes or indices contradict each other.
  private init?(_ indices: [Int], _ branch: Branch, _ list: [PathElement], _ ranks: [ChangesetOrigin: Int32]) {
    edits = []
    edits.reserveCapacity(indices.count)
    var size: Int32?
    var (origin, rank) = (branch.slots[indices[0]].origin, ranks[branch.slots[indices[0]].origin] ?? 0)
    for index in indices {
      let slot = branch.slots[index]
      if slot.origin != origin { (origin, rank) = (slot.origin, ranks[slot.origin] ?? 0) }
      guard let edit = Edit(slot.instruction, list, rank, Int32(index)), size == nil || size == edit.priorSize else {
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
      let slot = Int(edit.slot)
      guard edit.kind != .dropped else {
        branch.slots[slot].isDropped = true
        continue
      }
      branch.slots[slot].instruction.setListNumbers(
        index: UInt32(edit.index), destination: UInt32(edit.destination), priorSize: UInt32(edit.priorSize + raise))
    }
  }
}
