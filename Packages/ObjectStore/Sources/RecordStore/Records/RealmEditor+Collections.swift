import ChangesetOT
import DataModel
import StorageEngine

// Collections become what they are to be by as few changes as possible, so that what others do to them at the same time
// merges well.

extension RealmEditor {
  func setList(_ items: [StateDump.Item], _ cell: Cell) throws {
    guard case .list(let current) = try writer.readView.fieldItem(cell) else { return }
    let difference = CollectionDiff(from: current, to: items)
    if current.count == items.count, difference.deletions == difference.insertions {
      for position in difference.insertions { try replace(items[position], at: position, cell) }
      return
    }
    for position in difference.deletions.reversed() { try writer.removeElement(at: position, cell) }
    for position in difference.insertions { try insert(items[position], at: position, cell) }
  }

  private func replace(_ item: StateDump.Item, at position: Int, _ cell: Cell) throws {
    let old = try writer.readView.list(cell).element(at: position)
    switch (item, old) {
    case (.embedded(let fields), .link(_, let child)): try set(fields, child, try embedded(cell.field))
    case (.value(let value), _):
      try writer.setElement(try stored(value, cell.field), at: position, cell)
    default: throw Refusal("a list of \(cell.field.type) holds no collection")
    }
  }

  func setMembers(_ values: Set<Value>, _ cell: Cell) throws {
    guard case .set(let current) = try writer.readView.fieldItem(cell) else { return }
    for value in current.subtracting(values) { try writer.removeMember(try stored(value, cell.field), cell) }
    for value in values.subtracting(current) { try writer.insertMember(try stored(value, cell.field), cell) }
  }

  func setEntries(_ entries: [String: StateDump.Item], _ cell: Cell) throws {
    guard case .dictionary(let current) = try writer.readView.fieldItem(cell) else { return }
    for key in current.keys.sorted() where entries[key] == nil { try writer.removeEntry(for: key, cell) }
    for (key, item) in entries.sorted(by: { $0.key < $1.key }) where current[key] != item {
      if case .embedded(let fields) = item,
        case .link(_, let child)? = try writer.readView.map(cell).value(for: Array(key.utf8))
      {
        try set(fields, child, try embedded(cell.field))
        continue
      }
      try setEntry(item, key, cell)
    }
  }
}

extension RealmEditor {
  /// Whether the file can have an object of that name.
  package func canHold(_ object: ObjectReference) throws -> Bool {
    writer.catalog[object.className]?.key?.entry(object.key) != nil
  }

  /// Whether the object's class has a field of that name.
  package func declares(_ field: String, _ object: ObjectReference) -> Bool {
    writer.catalog[object.className]?.field(field) != nil
  }
}
