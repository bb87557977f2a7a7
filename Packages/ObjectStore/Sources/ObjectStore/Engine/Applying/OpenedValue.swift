import ChangesetOT
import StorageEngine

/// A mixed value that is being changed from within, decoded: a run of changes inside one value decodes and writes it once.
///
/// Opened by ``ChangesetApplier/editMixed(_:path:_:)`` and written by ``ChangesetApplier/close()``, before anything else
/// looks at the value.
final class OpenedValue {
  /// Which value of which row.
  struct Place: Hashable {
    let row: ClassRow
    let column: ColumnID
    /// Which element or entry, where the field is a collection of mixed values.
    let step: PathElement?
  }

  fileprivate(set) var place: Place?
  /// Whether there is any.
  var isOpen: Bool { if case .some = place { true } else { false } }
  fileprivate var value = StoredValue.null
  fileprivate var write: (StoredValue) throws -> Void = { _ in }
}

extension Place {
  /// The mixed value that the place lies inside; nil when it is a field, an element or an entry itself.
  var mixedValue: OpenedValue.Place? {
    let isSingle = field.collection == .single
    guard field.type == .any, rest.count > (isSingle ? 0 : 1) else { return nil }
    return OpenedValue.Place(
      row: ClassRow(table: layout.table, row: row), column: field.column, step: isSingle ? nil : rest.first)
  }
}

extension ChangesetApplier {
  /// Changes what lies inside the mixed value at a place: `path` leads from the value to what is changed.
  ///
  /// - Complexity: O(1) in the size of the value for a run of changes in one value, beside what `change` does and one
  ///   decoding and one writing of it.
  func editMixed(_ place: Place, path: ArraySlice<PathElement>, _ change: (inout StoredValue) throws -> Void) throws {
    guard place.field.type == .any else { throw Refusal(.notMixed) }
    let (field, row, layout) = (place.field, place.row, place.layout)
    let isSingle = field.collection == .single
    guard isSingle || !path.isEmpty else { throw Refusal(.pathMismatch, "the path ends at a collection") }
    let key = place.mixedValue
    if key == nil || key != opened.place {
      try close()
      if let step = isSingle ? nil : path.first {
        opened.value = try element(step, place)
        opened.write = { [writer] value in
          switch step {
          case .index(let index): try writer.assignElement(value, at: Int(index), field, row, layout)
          case .name(let key): try writer.assignEntry(value, for: Array(key.utf8), field, row, layout)
          }
        }
      } else {
        opened.value = try writer.frame.value(field, row, layout)
        opened.write = { [writer] value in try writer.assign(value, field, row, layout) }
      }
    }
    opened.place =
      key ?? OpenedValue.Place(row: ClassRow(table: layout.table, row: row), column: field.column, step: path.first)
    try opened.value.change(at: isSingle ? path : path.dropFirst(), change)
    if key == nil { try close() }
  }

  /// What lies inside a mixed value; nil when the path leads nowhere.
  func nestedValue(_ place: Place) throws -> StoredValue? {
    if let key = place.mixedValue, key == opened.place {
      return opened.value.value(at: place.field.collection == .single ? place.rest[...] : place.rest.dropFirst())
    }
    return try writer.frame.value(at: place.rest, place.field, place.row, place.layout)
  }

  /// Writes the open value.
  func close() throws {
    guard opened.isOpen else { return }
    let (value, write) = (opened.value, opened.write)
    opened.place = nil
    opened.value = .null
    try write(value)
  }
}

extension StoredValue {
  /// Changes what a path leads to, in place.
  fileprivate mutating func change(
    at path: ArraySlice<PathElement>, _ change: (inout StoredValue) throws -> Void
  ) throws {
    guard let step = path.first else { return try change(&self) }
    switch step {
    case .index(let index):
      let isInside: Void? = try changeElements { elements in
        guard index < elements.count else { throw Refusal(.pathOutOfList) }
        try elements[Int(index)].change(at: path.dropFirst(), change)
      }
      if isInside == nil { throw Refusal(.pathMismatch) }
    case .name(let key):
      let isInside: Void? = try changeEntries { entries in
        guard entries[key] != nil else { throw Refusal(.pathToMissingKey) }
        try entries[key, default: .null].change(at: path.dropFirst(), change)
      }
      if isInside == nil { throw Refusal(.pathMismatch) }
    }
  }

  /// What a path leads to; nil when it leads nowhere.
  func value(at path: ArraySlice<PathElement>) -> StoredValue? {
    var found = self
    for step in path {
      switch (found, step) {
      case (.list(let elements), .index(let index)) where index < elements.count: found = elements[Int(index)]
      case (.dictionary(let entries), .name(let key)):
        guard let entry = entries[key] else { return nil }
        found = entry
      default: return nil
      }
    }
    return found
  }

  /// Changes the elements of a list without copying them; nil when the value is no list.
  mutating func changeElements<Result>(_ change: (inout [StoredValue]) throws -> Result) rethrows -> Result? {
    guard case .list(var elements) = self else { return nil }
    self = .null
    defer { self = .list(elements) }
    return try change(&elements)
  }

  /// Changes the entries of a dictionary without copying them; nil when the value is no dictionary.
  mutating func changeEntries<Result>(
    _ change: (inout [String: StoredValue]) throws -> Result
  ) rethrows -> Result? {
    guard case .dictionary(var entries) = self else { return nil }
    self = .null
    defer { self = .dictionary(entries) }
    return try change(&entries)
  }
}
