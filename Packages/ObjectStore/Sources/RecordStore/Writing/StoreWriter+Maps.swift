import DataModel
import StorageEngine

// Dictionaries, kept under the UTF-8 of their keys, and sets, kept under the encoding of their elements.

extension StoreWriter {
  package func setEntry(
    _ value: StoredValue, for key: String, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    try recorder?.updateEntry(field, row, layout, key, value, in: readView)
    try assignEntry(value, for: Array(key.utf8), field, row, layout)
  }

  /// Sets an entry without recording.
  package func assignEntry(
    _ value: StoredValue, for key: [UInt8], _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    let old = field.canLink ? try readView.map(field, row, layout).value(for: key) ?? .null : .null
    try writer(layout).setEntry(value, for: key, field.column, row: row)
    try relink(field, from: old, to: value, origin: row)
    if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    changed()
  }

  /// Removes an entry; an absent one is fine.
  package func removeEntry(for key: String, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    let bytes = Array(key.utf8)
    guard let old = try readView.map(field, row, layout).value(for: bytes) else { return }
    try recorder?.eraseEntry(field, row, layout, key, in: readView)
    try writer(layout).removeEntry(for: bytes, field.column, row: row)
    try forgetElement(old, field, row)
  }

  /// Adds an element to a set; returns whether it is new.
  @discardableResult
  package func insertMember(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws
    -> Bool
  {
    let key = SetKey.bytes(of: value)
    guard try readView.map(field, row, layout).value(for: key) == nil else { return false }
    try recorder?.setInsert(field, row, layout, value, in: readView)
    try assignMember(value, field, row, layout)
    return true
  }

  func assignMember(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    try writer(layout).setEntry(value, for: SetKey.bytes(of: value), field.column, row: row)
    try relink(field, from: .null, to: value, origin: row)
    changed()
  }

  /// Removes an element from a set; returns whether it was there.
  @discardableResult
  package func removeMember(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws
    -> Bool
  {
    let key = SetKey.bytes(of: value)
    guard try readView.map(field, row, layout).value(for: key) != nil else { return false }
    try recorder?.setErase(field, row, layout, value, in: readView)
    try writer(layout).removeEntry(for: key, field.column, row: row)
    try forgetElement(value, field, row)
    return true
  }

  /// Empties a dictionary or set. An empty one is left alone.
  package func clearMap(_ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    guard try readView.map(field, row, layout).count > 0 else { return }
    try recorder?.clear(field, row, layout, field.collection, in: readView)
    let old = field.canLink ? try readView.elements(field, row, layout) : []
    try writer(layout).removeAllEntries(field.column, row: row)
    for value in old { try forgetElement(value, field, row) }
    changed()
  }

  /// Empties whatever collection the field is.
  package func clearCollection(_ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if field.collection == .list { try clearList(field, row, layout) } else { try clearMap(field, row, layout) }
  }
}
