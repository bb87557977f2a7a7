import DataModel
import StorageEngine

// Lists. Positions are raw: links without an object count.

extension StoreWriter {
  package func insert(_ value: StoredValue, at position: Int, _ cell: Cell) throws {
    if let recorder {
      let size = try readView.list(cell).count
      try recorder.arrayInsert(cell, position, value, priorSize: size, in: readView)
    }
    try writer(cell.layout).insertElement(value, at: position, cell.field.column, row: cell.row)
    try relink(cell.field, from: .null, to: value, origin: cell.row)
    changed()
  }

  /// Appends elements in one go.
  package func append(_ values: [StoredValue], _ cell: Cell) throws {
    if let recorder {
      let size = try readView.list(cell).count
      for (offset, value) in values.enumerated() {
        try recorder.arrayInsert(cell, size + offset, value, priorSize: size + offset, in: readView)
      }
    }
    try writer(cell.layout).appendElements(values, cell.field.column, row: cell.row)
    for value in values { try relink(cell.field, from: .null, to: value, origin: cell.row) }
    changed()
  }

  /// Replaces an element that is no embedded object.
  package func setElement(_ value: StoredValue, at position: Int, _ cell: Cell) throws {
    if let recorder {
      let size = try readView.list(cell).count
      try recorder.updateElement(cell, position, value, priorSize: size, in: readView)
    }
    try assignElement(value, at: position, cell)
  }

  /// Replaces an element without recording.
  func assignElement(_ value: StoredValue, at position: Int, _ cell: Cell) throws {
    let old = cell.field.canLink ? try readView.list(cell).element(at: position) : .null
    try writer(cell.layout).setElement(value, at: position, cell.field.column, row: cell.row)
    try relink(cell.field, from: old, to: value, origin: cell.row)
    if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    changed()
  }

  package func moveElement(from source: Int, to target: Int, _ cell: Cell) throws {
    guard source != target else { return }
    if let recorder {
      let size = try readView.list(cell).count
      try recorder.arrayMove(cell, from: source, to: target, priorSize: size, in: readView)
    }
    try writer(cell.layout).moveElement(from: source, to: target, cell.field.column, row: cell.row)
    changed()
  }

  package func removeElement(at position: Int, _ cell: Cell) throws {
    if let recorder {
      let size = try readView.list(cell).count
      try recorder.arrayErase(cell, position, priorSize: size, in: readView)
    }
    let old = cell.field.canLink ? try readView.list(cell).element(at: position) : .null
    try writer(cell.layout).removeElement(at: position, cell.field.column, row: cell.row)
    try forgetElement(old, cell.field, cell.row)
  }

  /// Empties a list. An empty one is left alone.
  package func clearList(_ cell: Cell) throws {
    let list = try readView.list(cell)
    guard list.count > 0 else { return }
    try recorder?.clear(cell, .list, in: readView)
    let old = cell.field.canLink ? try list.elements() : []
    try writer(cell.layout).removeAllElements(cell.field.column, row: cell.row)
    for value in old { try forgetElement(value, cell.field, cell.row) }
    changed()
  }

  func forgetElement(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey) throws {
    try relink(field, from: value, to: .null, origin: row)
    if case .link(let table, let child) = value { try eraseIfEmbedded(child, table) }
    changed()
  }
}
