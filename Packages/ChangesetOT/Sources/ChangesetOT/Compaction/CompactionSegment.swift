import DataModel

/// Drops from a range of history, read backwards, the instructions whose effect later ones replace.
///
/// Only values named without list indices are remembered, since an index names different elements at different times; the
/// exception is an element written twice while no element of its list moves.
struct CompactionSegment {
  /// A value in an object, named without list indices.
  private struct FieldPath: Hashable {
    var object: Int
    var column: Int
    var names: [ExactString] = []
  }

  private struct Element: Hashable {
    var list: FieldPath
    var index: UInt32
  }

  private enum SetValue: Hashable {
    case text(ExactString)
    case other(Payload)
  }

  private struct Member: Hashable {
    var set: FieldPath
    var value: SetValue
  }

  private var interner = AddressInterner()
  private var erasedTables: Set<Int> = []
  private var erasedColumns: Set<Int> = []
  private var erasedObjects: Set<Int> = []
  /// Values that are replaced as a whole.
  private var replaced: Set<FieldPath> = []
  /// Collections that are emptied.
  private var emptied: Set<FieldPath> = []
  /// Elements that are written again, by list.
  private var rewritten: [FieldPath: Set<UInt32>] = [:]
  /// Set members that are added or removed later.
  private var decided: Set<Member> = []

  /// The instructions of an entry that are still needed. Entries come from the last to the first.
  mutating func compacted(_ instructions: [Instruction]) -> [Instruction] {
    var kept: [Instruction] = []
    for instruction in instructions.reversed() {
      if let instruction = visit(instruction) { kept.append(instruction) }
    }
    kept.reverse()
    return kept
  }

  /// The instruction; nil when later ones replace its effect.
  private mutating func visit(_ instruction: Instruction) -> Instruction? {
    let address = interner.address(of: instruction)
    switch instruction {
    case .addTable, .addColumn: return instruction
    case .eraseTable: erasedTables.insert(address.table)
    case .eraseColumn: erasedColumns.insert(address.column)
    case .createObject: return isErased(address) ? nil : instruction
    case .eraseObject:
      if isErased(address) { return nil }
      erasedObjects.insert(address.object)
    case .update(let it): return isGone(it.target, address) ? nil : visit(it, address)
    case .clear(let it):
      if isGone(it.target, address) { return nil }
      guard let path = path(it.target, address) else { break }
      if !emptied.insert(path).inserted { return nil }
    case .addInteger(let it): return isGone(it.target, address) ? nil : instruction
    case .setInsert(let it):
      if isGone(it.target, address, isInside: true) || isDecided(it.target, it.payload, address) { return nil }
    case .setErase(let it):
      if isGone(it.target, address, isInside: true) || isDecided(it.target, it.payload, address) { return nil }
    case .arrayInsert(let it):
      if isGone(it.target, address) { return nil }
      forgetElements(it.target, address)
    case .arrayMove(let it):
      if isGone(it.target, address) { return nil }
      forgetElements(it.target, address)
    case .arrayErase(let it):
      if isGone(it.target, address) { return nil }
      forgetElements(it.target, address)
    }
    return instruction
  }

  private mutating func visit(_ update: Update, _ address: Address) -> Instruction? {
    guard update.replacesAll else { return .update(update) }
    if let path = path(update.target, address) {
      replaced.insert(path)
    } else if let (list, index) = element(update.target, address) {
      if !rewritten[list, default: []].insert(index).inserted { return nil }
    }
    return .update(update)
  }

  private func isErased(_ address: Address) -> Bool {
    erasedTables.contains(address.table) || erasedObjects.contains(address.object)
  }

  /// Whether later instructions replace the effect of an edit.
  ///
  /// - Parameter isInside: whether the edit is of members of the collection that its target names.
  private func isGone(_ target: Target, _ address: Address, isInside: Bool = false) -> Bool {
    if isErased(address) || erasedColumns.contains(address.column) { return true }
    var path = FieldPath(object: address.object, column: address.column)
    for (depth, element) in target.path.enumerated() {
      if replaced.contains(path) || emptied.contains(path) { return true }
      switch element {
      case .name(let name): path.names.append(ExactString(name))
      case .index(let index):
        return depth + 1 < target.path.count && rewritten[path]?.contains(index) == true
      }
    }
    return replaced.contains(path) || (isInside && emptied.contains(path))
  }

  /// The path of a target; nil when it contains an index.
  private func path(_ target: Target, _ address: Address) -> FieldPath? {
    var path = FieldPath(object: address.object, column: address.column)
    for element in target.path {
      guard case .name(let name) = element else { return nil }
      path.names.append(ExactString(name))
    }
    return path
  }

  /// The list and the index of a target; nil when the path of the list contains an index.
  private func element(_ target: Target, _ address: Address) -> (list: FieldPath, UInt32)? {
    guard let index = target.index else { return nil }
    var list = target
    list.path.removeLast()
    guard let path = path(list, address) else { return nil }
    return (path, index)
  }

  /// Forgets the indices of a list whose elements move: an index names another element at an earlier time.
  private mutating func forgetElements(_ target: Target, _ address: Address) {
    if let (list, _) = element(target, address) { rewritten[list] = nil }
  }

  /// Whether a later instruction adds or removes the same member; remembers this instruction otherwise.
  private mutating func isDecided(_ target: Target, _ payload: Payload, _ address: Address) -> Bool {
    guard let set = path(target, address) else { return false }
    let value: SetValue = if case .string(let text) = payload { .text(ExactString(text)) } else { .other(payload) }
    return !decided.insert(Member(set: set, value: value)).inserted
  }
}

extension Update {
  /// Whether the write replaces the value before: no default, and no marker such as "a collection exists here".
  fileprivate var replacesAll: Bool {
    guard !isDefault || priorSize != nil else { return false }
    switch payload {
    case .objectValue, .list, .dictionary, .set: return false
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link, .objectId, .uuid,
      .erased:
      return true
    }
  }
}
