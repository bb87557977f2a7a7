import DataModel

/// Instructions of both sides that can meet, by their places in the branches, ascending.
struct Group {
  var local: [Int] = []
  var incoming: [Int] = []
  /// Whether all address one field of one object, none of them the object as a whole.
  var isOneField = false
}

/// The groups of a merge: whole classes where a class or column is erased, whole objects where an object is erased,
/// declarations by class, and single fields for all the rest.
struct Groups {
  /// Those with instructions on both sides.
  private(set) var all: [Group] = []
  /// Whether a class is erased to which the other side may add a link column; then a merge inserts instructions.
  let mayInsertEraseColumn: Bool

  fileprivate enum Key: Hashable {
    case table(Int)
    case declarations(Int)
    case object(Int)
    case field(Int, Int)
  }

  init(_ local: Branch, _ incoming: Branch) {
    var erasedTables: Set<Int> = []
    var erasedObjects: Set<Int> = []
    var erasesTable = (false, false)
    var addsLink = (false, false)
    for slot in local.slots {
      Self.note(slot, &erasedTables, &erasedObjects, &erasesTable.0, &addsLink.0)
    }
    for slot in incoming.slots {
      Self.note(slot, &erasedTables, &erasedObjects, &erasesTable.1, &addsLink.1)
    }
    mayInsertEraseColumn = erasesTable.0 && addsLink.1 || erasesTable.1 && addsLink.0
    if mayInsertEraseColumn { return }
    func key(_ slot: Slot) -> Key? {
      let address = slot.address
      if erasedTables.contains(address.table) { return .table(address.table) }
      guard address.object >= 0 else { return .declarations(address.table) }
      if erasedObjects.contains(address.object) { return .object(address.object) }
      // Without an erasure a creation meets nothing.
      return slot.code == .createObject ? nil : .field(address.object, address.column)
    }
    var numbers: [Key: Int] = [:]
    var groups: [Group] = []
    for (place, slot) in local.slots.enumerated() {
      guard let key = key(slot) else { continue }
      if let number = numbers[key] {
        groups[number].local.append(place)
      } else {
        numbers[key] = groups.count
        groups.append(Group(local: [place], isOneField: slot.level >= 3 && key.isField))
      }
    }
    for (place, slot) in incoming.slots.enumerated() {
      if let key = key(slot), let number = numbers[key] { groups[number].incoming.append(place) }
    }
    all = groups.filter { !$0.incoming.isEmpty }
  }

  private static func note(
    _ slot: Slot, _ tables: inout Set<Int>, _ objects: inout Set<Int>, _ erasesTable: inout Bool,
    _ addsLink: inout Bool
  ) {
    switch slot.code {
    case .eraseTable:
      tables.insert(slot.address.table)
      erasesTable = true
    case .eraseColumn: tables.insert(slot.address.table)
    case .eraseObject: objects.insert(slot.address.object)
    case .addColumn:
      if case .addColumn(let add) = slot.instruction, add.linkTarget != nil { addsLink = true }
    case .addTable, .createObject, .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert,
      .setErase:
      break
    }
  }
}

extension Groups.Key {
  fileprivate var isField: Bool { if case .field = self { true } else { false } }
}

extension Group {
  /// What an instruction addresses, where equal or nothing in common are the only possibilities.
  private enum Place: Hashable {
    case path([ExactString])
    case value(Payload)
  }

  /// The group split by dictionary key, or by set value; nil when its instructions can touch across such parts.
  func partitioned(_ left: Branch, _ right: Branch) -> [Group]? {
    guard local.count > 8 || incoming.count > 8 else { return nil }
    var depth: Int?
    var numbers: [Place: Int] = [:]
    var parts: [Group] = []
    for place in local {
      guard let key = Self.place(left.slots[place].instruction, &depth) else { return nil }
      if let number = numbers[key] {
        parts[number].local.append(place)
      } else {
        numbers[key] = parts.count
        parts.append(Group(local: [place]))
      }
    }
    for place in incoming {
      guard let key = Self.place(right.slots[place].instruction, &depth) else { return nil }
      if let number = numbers[key] { parts[number].incoming.append(place) }
    }
    return parts
  }

  /// The part that an instruction belongs to. All must have paths of one depth, made of names.
  private static func place(_ instruction: Instruction, _ depth: inout Int?) -> Place? {
    switch instruction {
    case .update(let it):
      return names(it.target, 0, &depth).map(Place.path)
    case .addInteger(let it):
      return names(it.target, 0, &depth).map(Place.path)
    case .setInsert(let it):
      return names(it.target, 1_000_000, &depth) == [] ? .value(it.payload) : nil
    case .setErase(let it):
      return names(it.target, 1_000_000, &depth) == [] ? .value(it.payload) : nil
    case .addTable, .eraseTable, .createObject, .eraseObject, .addColumn, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear:
      return nil
    }
  }

  /// The names of a path, when its depth is that of the others; `kind` keeps sets and values apart.
  private static func names(_ target: Target, _ kind: Int, _ depth: inout Int?) -> [ExactString]? {
    guard depth == nil || depth == kind + target.path.count else { return nil }
    depth = kind + target.path.count
    var names: [ExactString] = []
    for element in target.path {
      guard case .name(let name) = element else { return nil }
      names.append(ExactString(name))
    }
    return names
  }
}
