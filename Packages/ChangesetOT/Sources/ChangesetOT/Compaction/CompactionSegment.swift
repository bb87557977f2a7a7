import DataModel

/// Reads a stretch of history backwards, remembering what later instructions replace.
///
/// Only places named without list indices can be remembered, since indices mean something else at another time; the
/// exception is an element written twice while nothing moves in its list.
struct CompactionSegment {
  /// A place in an object, named without indices.
  private struct Place: Hashable {
    var object: Int
    var column: Int
    var names: [ExactString] = []
  }

  private struct Element: Hashable {
    var list: Place
    var index: UInt32
  }

  private enum SetValue: Hashable {
    case text(ExactString)
    case other(Payload)
  }

  private struct Member: Hashable {
    var set: Place
    var value: SetValue
  }

  private var names = Names()
  private var erasedTables: Set<Int> = []
  private var erasedColumns: Set<Int> = []
  private var erasedObjects: Set<Int> = []
  /// What is replaced as a whole.
  private var replaced: Set<Place> = []
  /// Collections that are emptied.
  private var emptied: Set<Place> = []
  private var rewritten: [Place: Set<UInt32>] = [:]
  private var decided: Set<Member> = []

  /// What is left of an entry when everything behind it is known. Entries come from the last to the first.
  mutating func compacted(_ instructions: [Instruction]) -> [Instruction] {
    var kept: [Instruction] = []
    for instruction in instructions.reversed() {
      if let instruction = visit(instruction) { kept.append(instruction) }
    }
    kept.reverse()
    return kept
  }

  /// The instruction as it stays; nil when something behind it makes it needless.
  private mutating func visit(_ instruction: Instruction) -> Instruction? {
    let address = names.address(of: instruction)
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
      guard let place = place(it.target, address) else { break }
      if !emptied.insert(place).inserted { return nil }
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
    if let place = place(update.target, address) {
      replaced.insert(place)
    } else if let (list, index) = element(update.target, address) {
      if !rewritten[list, default: []].insert(index).inserted { return nil }
    }
    return .update(update)
  }

  private func isErased(_ address: Address) -> Bool {
    erasedTables.contains(address.table) || erasedObjects.contains(address.object)
  }

  /// Whether nothing of an edit is left in the end. `isInside` says that the edit is of members of the collection
  /// that its target names.
  private func isGone(_ target: Target, _ address: Address, isInside: Bool = false) -> Bool {
    if isErased(address) || erasedColumns.contains(address.column) { return true }
    var place = Place(object: address.object, column: address.column)
    for (depth, step) in target.path.enumerated() {
      if replaced.contains(place) || emptied.contains(place) { return true }
      switch step {
      case .name(let name): place.names.append(ExactString(name))
      case .index(let index):
        return depth + 1 < target.path.count && rewritten[place]?.contains(index) == true
      }
    }
    return replaced.contains(place) || (isInside && emptied.contains(place))
  }

  /// The place that a target names, when no index is on the way.
  private func place(_ target: Target, _ address: Address) -> Place? {
    var place = Place(object: address.object, column: address.column)
    for step in target.path {
      guard case .name(let name) = step else { return nil }
      place.names.append(ExactString(name))
    }
    return place
  }

  /// The list and the index that a target names, when no index is on the way to the list.
  private func element(_ target: Target, _ address: Address) -> (list: Place, UInt32)? {
    guard let index = target.index else { return nil }
    var list = target
    list.path.removeLast()
    guard let place = place(list, address) else { return nil }
    return (place, index)
  }

  /// Elements move: what was remembered by index says nothing about earlier times.
  private mutating func forgetElements(_ target: Target, _ address: Address) {
    if let (list, _) = element(target, address) { rewritten[list] = nil }
  }

  /// Whether a later instruction decides if the value is in the set; remembers that this one does.
  private mutating func isDecided(_ target: Target, _ payload: Payload, _ address: Address) -> Bool {
    guard let set = place(target, address) else { return false }
    let value: SetValue = if case .string(let text) = payload { .text(ExactString(text)) } else { .other(payload) }
    return !decided.insert(Member(set: set, value: value)).inserted
  }
}

extension Update {
  /// Whether the value before does not matter: a real write of something that is not "a collection exists here".
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
