import ChangesetOT
import StorageEngine

/// Mixed values that are being changed from within, decoded: a run of changes inside a few values decodes and writes each
/// once.
///
/// Opened by ``ChangesetApplier/editMixed(_:path:_:)`` and written by ``ChangesetApplier/close()``, before anything else
/// looks at such a value.
final class DirtyValues {
  /// Which value of which row.
  struct Key: Hashable {
    let row: ClassRow
    let column: ColumnID
    /// Which element or entry, where the field is a collection of mixed values.
    let step: PathElement?
  }

  /// The most values that are dirty at a time; one more writes the oldest.
  static let limit = 8

  fileprivate struct DirtyValue {
    let key: Key
    var value: StoredValue
    let write: (StoredValue) throws -> Void
  }

  /// Oldest first.
  fileprivate var values: [DirtyValue] = []
  /// Whether there is any.
  var isOpen: Bool { !values.isEmpty }

  fileprivate func number(of key: Key) -> Int? { values.lastIndex { $0.key == key } }
}

extension ResolvedTarget {
  /// The mixed value that the place lies inside; nil when it is a field, an element or an entry itself.
  var mixedValue: DirtyValues.Key? {
    let isSingle = cell.field.collection == .single
    guard cell.field.type == .any, rest.count > (isSingle ? 0 : 1) else { return nil }
    return valuePlace
  }

  fileprivate var valuePlace: DirtyValues.Key {
    DirtyValues.Key(
      row: ClassRow(table: cell.layout.table, row: cell.row), column: cell.field.column,
      step: cell.field.collection == .single ? nil : rest.first)
  }
}

extension ChangesetApplier {
  /// Changes what lies inside the mixed value at a place: `path` leads from the value to what is changed.
  ///
  /// - Complexity: O(1) in the size of the value for a run of changes in few values, beside what `change` does and one
  ///   decoding and one writing of each.
  func editMixed(_ place: ResolvedTarget, path: ArraySlice<PathElement>, _ change: (inout StoredValue) throws -> Void)
    throws
  {
    guard place.cell.field.type == .any else { throw Refusal(.notMixed) }
    let isSingle = place.cell.field.collection == .single
    guard isSingle || !path.isEmpty else { throw Refusal(.pathMismatch, "the path ends at a collection") }
    let key = place.mixedValue
    if key == nil { try close() }
    let number = try open(place, path.first)
    try dirty.values[number].value.change(at: isSingle ? path : path.dropFirst(), change)
    if key == nil { try close() }
  }

  /// Opens the mixed value at or around a place; returns its number among those that are open.
  private func open(_ place: ResolvedTarget, _ step: PathElement?) throws -> Int {
    let key = place.valuePlace
    if let number = dirty.number(of: key) { return number }
    if dirty.values.count == DirtyValues.limit {
      let oldest = dirty.values.removeFirst()
      try oldest.write(oldest.value)
    }
    let cell = place.cell
    let value: StoredValue
    let write: (StoredValue) throws -> Void
    if cell.field.collection != .single, let step {
      value = try element(step, place)
      write = { [writer] value in
        switch step {
        case .index(let index): try writer.assignElement(value, at: Int(index), cell)
        case .name(let key): try writer.assignEntry(value, for: Array(key.utf8), cell)
        }
      }
    } else {
      value = try writer.readView.value(cell)
      write = { [writer] value in try writer.assign(value, cell) }
    }
    // The whole value is written again, and its links are compared.
    try writer.work.charge(value.steps * 4)
    dirty.values.append(DirtyValues.DirtyValue(key: key, value: value, write: write))
    return dirty.values.count - 1
  }

  /// The value inside a mixed value; nil when the path leads nowhere.
  func nestedValue(_ place: ResolvedTarget) throws -> StoredValue? {
    if let key = place.mixedValue, let number = dirty.number(of: key) {
      let path = place.cell.field.collection == .single ? place.rest[...] : place.rest.dropFirst()
      return dirty.values[number].value.value(at: path)
    }
    let value = try writer.readView.value(at: place.rest, place.cell)
    try writer.work.charge(value?.steps ?? 1)
    return value
  }

  /// Writes the open values.
  func close() throws {
    guard dirty.isOpen else { return }
    let values = dirty.values
    dirty.values = []
    for dirty in values { try dirty.write(dirty.value) }
  }
}

extension StoredValue {
  /// Changes the value at a path in place.
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

  /// The value at a path; nil when the path leads nowhere.
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
