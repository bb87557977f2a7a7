import ChangesetOT
import DataModel
import StorageEngine

// Collections inside mixed values. A path leads from the field to the collection, or to the place in one.

extension StoreWriter {
  /// Puts elements into a nested list.
  package func insertNested(_ values: [StoredValue], at position: Int, _ path: [PathElement], _ cell: Cell) throws {
    if let recorder {
      let size = try nestedElements(path, cell).count
      for (offset, value) in values.enumerated() {
        try recorder.nestedInsert(
          cell, path + [.index(UInt32(position + offset))], value, priorSize: size + offset, in: readView)
      }
    }
    try editNestedList(path, cell) { $0.insert(contentsOf: values, at: position) }
  }

  package func moveNested(from source: Int, to target: Int, _ path: [PathElement], _ cell: Cell) throws {
    guard source != target else { return }
    if let recorder, let place = try readView.target(cell, path + [.index(UInt32(source))]) {
      let size = try nestedElements(path, cell).count
      recorder.append(
        .arrayMove(ArrayMove(target: place, destination: UInt32(target), priorSize: UInt32(size))))
    }
    try editNestedList(path, cell) { $0.insert($0.remove(at: source), at: target) }
  }

  package func removeNested(at position: Int, _ path: [PathElement], _ cell: Cell) throws {
    if let recorder, let place = try readView.target(cell, path + [.index(UInt32(position))]) {
      let size = try nestedElements(path, cell).count
      recorder.append(.arrayErase(ArrayErase(target: place, priorSize: UInt32(size))))
    }
    try editNestedList(path, cell) { $0.remove(at: position) }
  }

  /// Removes an entry of a nested dictionary; an absent one is fine.
  package func removeNested(_ key: String, _ path: [PathElement], _ cell: Cell) throws {
    guard case .dictionary(let entries)? = try readView.value(at: path, cell), entries[key] != nil else {
      return
    }
    try recorder?.update(cell, path: path + [.name(key)], .erased, in: readView)
    try edit(path, cell) { value in
      value.changeEntries { $0[key] = nil }
    }
  }

  /// Sets the element or entry at the end of a path.
  package func setNested(_ value: StoredValue, at path: [PathElement], _ cell: Cell) throws {
    let container = Array(path.dropLast())
    if let recorder {
      var priorSize: UInt32?
      if case .index? = path.last {
        priorSize = UInt32(try nestedElements(container, cell).count)
      }
      let old = try readView.value(at: path, cell) ?? .null
      try recorder.nestedUpdate(cell, path, value, replacing: old, priorSize: priorSize, in: readView)
    }
    try edit(container, cell) { collection in
      switch path.last {
      case .index(let index)?: collection.changeElements { if index < $0.count { $0[Int(index)] = value } }
      case .name(let key)?: collection.changeEntries { $0[key] = value }
      case nil: break
      }
    }
  }

  /// Empties a nested collection.
  package func clearNested(_ kind: CollectionKind, _ path: [PathElement], _ cell: Cell) throws {
    if let recorder, let place = try readView.target(cell, path) {
      recorder.append(.clear(Clear(target: place, collection: kind)))
    }
    try edit(path, cell) { $0 = kind == .list ? .list([]) : .dictionary([:]) }
  }

  private func nestedElements(_ path: [PathElement], _ cell: Cell) throws -> [StoredValue] {
    guard case .list(let elements)? = try readView.value(at: path, cell) else { return [] }
    return elements
  }

  private func editNestedList(_ path: [PathElement], _ cell: Cell, _ change: (inout [StoredValue]) -> Void) throws {
    try edit(path, cell) { $0.changeElements(change) }
  }

  /// Changes what lies at a path, unrecorded.
  private func edit(_ path: [PathElement], _ cell: Cell, _ change: (inout StoredValue) throws -> Void) throws {
    let place = ResolvedTarget(cell: cell, rest: path)
    let applier = ChangesetApplier(writer: self)
    try applier.editMixed(place, path: path[...], change)
    try applier.close()
  }
}

extension ReadView {
  /// The value at a path that begins at a field; nil when the path leads nowhere.
  package func value(at path: [PathElement], _ cell: Cell) throws -> StoredValue? {
    var rest = path[...]
    var found: StoredValue?
    switch (cell.field.collection, rest.first) {
    case (.single, _): found = try value(cell)
    case (.list, .index(let index)?):
      let list = try list(cell)
      found = index < list.count ? try list.element(at: Int(index)) : nil
      rest.removeFirst()
    case (.dictionary, .name(let key)?):
      found = try map(cell).value(for: Array(key.utf8))
      rest.removeFirst()
    default: return nil
    }
    return found?.value(at: rest)
  }
}
