import DataModel
import StorageEngine

// Dictionaries, kept under the UTF-8 of their keys, and sets, kept under the encoding of their elements.

extension StoreWriter {
  package func setEntry(_ value: StoredValue, for key: String, _ cell: Cell) throws {
    try recorder?.updateEntry(cell, key, value, in: readView)
    try assignEntry(value, for: Array(key.utf8), cell)
  }

  /// Sets an entry without recording.
  package func assignEntry(_ value: StoredValue, for key: [UInt8], _ cell: Cell) throws {
    let old = cell.field.canLink ? try readView.map(cell).value(for: key) ?? .null : .null
    try writer(cell.layout).setEntry(value, for: key, cell.field.column, row: cell.row)
    try relink(cell.field, from: old, to: value, origin: cell.row)
    if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    changed()
  }

  /// Removes an entry; an absent one is fine.
  package func removeEntry(for key: String, _ cell: Cell) throws {
    let bytes = Array(key.utf8)
    guard let old = try readView.map(cell).value(for: bytes) else { return }
    try recorder?.eraseEntry(cell, key, in: readView)
    try writer(cell.layout).removeEntry(for: bytes, cell.field.column, row: cell.row)
    try forgetElement(old, cell.field, cell.row)
  }

  /// Adds an element to a set; returns whether it is new.
  @discardableResult
  package func insertMember(_ value: StoredValue, _ cell: Cell) throws -> Bool {
    let key = SetKey.bytes(of: value)
    guard try readView.map(cell).value(for: key) == nil else { return false }
    try recorder?.setInsert(cell, value, in: readView)
    try assignMember(value, cell)
    return true
  }

  func assignMember(_ value: StoredValue, _ cell: Cell) throws {
    try writer(cell.layout).setEntry(value, for: SetKey.bytes(of: value), cell.field.column, row: cell.row)
    try relink(cell.field, from: .null, to: value, origin: cell.row)
    changed()
  }

  /// Removes an element from a set; returns whether it was there.
  @discardableResult
  package func removeMember(_ value: StoredValue, _ cell: Cell) throws -> Bool {
    let key = SetKey.bytes(of: value)
    guard try readView.map(cell).value(for: key) != nil else { return false }
    try recorder?.setErase(cell, value, in: readView)
    try writer(cell.layout).removeEntry(for: key, cell.field.column, row: cell.row)
    try forgetElement(value, cell.field, cell.row)
    return true
  }

  /// Empties a dictionary or set. An empty one is left alone.
  package func clearMap(_ cell: Cell) throws {
    guard try readView.map(cell).count > 0 else { return }
    try recorder?.clear(cell, cell.field.collection, in: readView)
    let old = cell.field.canLink ? try readView.elements(cell) : []
    try writer(cell.layout).removeAllEntries(cell.field.column, row: cell.row)
    for value in old { try forgetElement(value, cell.field, cell.row) }
    changed()
  }

  /// Empties whatever collection the field is.
  package func clearCollection(_ cell: Cell) throws {
    if cell.field.collection == .list { try clearList(cell) } else { try clearMap(cell) }
  }
}
