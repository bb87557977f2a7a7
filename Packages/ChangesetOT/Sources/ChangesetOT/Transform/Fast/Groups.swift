import DataModel

/// Instructions of both sides that can conflict with each other, as ascending indices of the slots of the branches.
struct Group {
  var local: [Int] = []
  var incoming: [Int] = []
  /// Whether all address one field of one object, none of them the object as a whole.
  var isOneField = false
}

/// The groups of a merge: whole classes where a class or column is erased, whole objects where an object is erased,
/// declarations by class, and single fields for all the rest.
///
/// Instructions of different groups do not conflict: only erasures act beyond one field.
struct Groups {
  /// The groups with instructions on both sides.
  private(set) var all: [Group] = []
  /// Whether one side erases a class and the other adds a link column: such a merge inserts instructions, and ``all`` is
  /// empty.
  let mayInsertEraseColumn: Bool

  fileprivate enum Key: Hashable {
    case table(Int)
    case declarations(Int)
    case object(Int)
    case field(Int, Int)
  }

  /// - Complexity: O(*n* + *m*) in the number of slots.
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
      // A creation conflicts with erasures only.
      return slot.code == .createObject ? nil : .field(address.object, address.column)
    }
    var numbers: [Key: Int] = [:]
    var groups: [Group] = []
    for (index, slot) in local.slots.enumerated() {
      guard let key = key(slot) else { continue }
      if let number = numbers[key] {
        groups[number].local.append(index)
      } else {
        numbers[key] = groups.count
        groups.append(Group(local: [index], isOneField: slot.level >= 3 && key.isField))
      }
    }
    for (index, slot) in incoming.slots.enumerated() {
      if let key = key(slot), let number = numbers[key] { groups[number].incoming.append(index) }
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
