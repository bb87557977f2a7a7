import ChangesetOT
import DataModel
import StorageEngine
import RecordStore

extension CollectionAccessor {
  /// Stops the program outside of a write transaction, and when the collection is invalid.
  func prepareForWriting() {
    check()
    rule(!view.isFrozen, "Can't perform transactions on a frozen Realm.")
    rule(view.isWriting, "Cannot modify managed collections outside of a write transaction.")
  }

  /// Whether elements are embedded objects.
  var holdsEmbedded: Bool {
    !isNested && field.isFixedLink && view.catalog[field.target ?? ""]?.kind == .embedded
  }

  // MARK: Lists; positions are raw

  func insert(_ values: [StoredValue], at position: Int) {
    guard !values.isEmpty else { return }
    let isAtEnd = !isNested && position == rawCount
    view.modify { writer in
      if isNested {
        try writer.insertNested(values, at: position, path, cell)
      } else if isAtEnd {
        try writer.append(values, cell)
      } else {
        for (offset, value) in values.enumerated() {
          try writer.insert(value, at: position + offset, cell)
        }
      }
    }
    view.nestedCollections.shift(in: self) { $0 < position ? $0 : $0 + values.count }
  }

  /// Inserts an embedded object into a list, and gives its row.
  func insertEmbedded(at position: Int) -> RowKey {
    view.modify(or: .none) { try $0.insertEmbedded(at: position, cell) }
  }

  func setElement(_ value: StoredValue, at position: Int) {
    view.modify { writer in
      if isNested {
        try writer.setNested(value, at: path + [.index(UInt32(position))], cell)
      } else {
        try writer.setElement(value, at: position, cell)
      }
    }
    view.nestedCollections.shift(in: self) { $0 == position ? nil : $0 }
  }

  func removeElement(at position: Int) {
    view.modify { writer in
      if isNested {
        try writer.removeNested(at: position, path, cell)
      } else {
        try writer.removeElement(at: position, cell)
      }
    }
    view.nestedCollections.shift(in: self) { $0 == position ? nil : $0 > position ? $0 - 1 : $0 }
  }

  func moveElement(from source: Int, to target: Int) {
    view.modify { writer in
      if isNested {
        try writer.moveNested(from: source, to: target, path, cell)
      } else {
        try writer.moveElement(from: source, to: target, cell)
      }
    }
    view.nestedCollections.shift(in: self) { index in
      if index == source { return target }
      let without = index > source ? index - 1 : index
      return without >= target ? without + 1 : without
    }
  }

  // MARK: Dictionaries

  func setEntry(_ value: StoredValue, for key: String) {
    view.modify { writer in
      if isNested {
        try writer.setNested(value, at: path + [.name(key)], cell)
      } else {
        try writer.setEntry(value, for: key, cell)
      }
    }
    view.nestedCollections.forget(key, in: self)
  }

  /// Creates an embedded object for a key, and gives its row.
  func createEmbedded(for key: String) -> RowKey {
    view.modify(or: .none) { try $0.createEmbedded(for: key, cell) }
  }

  func removeEntry(for key: String) {
    view.modify { writer in
      if isNested {
        try writer.removeNested(key, path, cell)
      } else {
        try writer.removeEntry(for: key, cell)
      }
    }
    view.nestedCollections.forget(key, in: self)
  }

  // MARK: Sets

  func insertMember(_ value: StoredValue) {
    view.modify { _ = try $0.insertMember(value, cell) }
  }

  func removeMember(_ value: StoredValue) {
    view.modify { _ = try $0.removeMember(value, cell) }
  }

  /// Whether a set has a member.
  func hasMember(_ value: StoredValue) -> Bool {
    check()
    return view.reading(or: false) {
      try view.readView.map(cell).value(for: SetKey.bytes(of: value)) != nil
    }
  }

  // MARK: All

  func clear() {
    view.modify { writer in
      if isNested {
        try writer.clearNested(kind, path, cell)
      } else {
        try writer.clearCollection(cell)
      }
    }
    view.nestedCollections.forgetAll(in: self)
  }
}
