import DataModel
import StorageEngine

// Lists. Positions are raw: links without an object count.

extension StoreWriter {
  package func insert(
    _ value: StoredValue, at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    if let recorder {
      let size = try readView.list(field, row, layout).count
      try recorder.arrayInsert(field, row, layout, position, value, priorSize: size, in: readView)
    }
    try writer(layout).insertElement(value, at: position, field.column, row: row)
    try relink(field, from: .null, to: value, origin: row)
    changed()
  }

  /// Appends elements in one go.
  package func append(_ values: [StoredValue], _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if let recorder {
      let size = try readView.list(field, row, layout).count
      for (offset, value) in values.enumerated() {
        try recorder.arrayInsert(field, row, layout, size + offset, value, priorSize: size + offset, in: readView)
      }
    }
    try writer(layout).appendElements(values, field.column, row: row)
    for value in values { try relink(field, from: .null, to: value, origin: row) }
    changed()
  }

  /// Replaces an element that is no embedded object.
  package func setElement(
    _ value: StoredValue, at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    if let recorder {
      let size = try readView.list(field, row, layout).count
      try recorder.updateElement(field, row, layout, position, value, priorSize: size, in: readView)
    }
    try assignElement(value, at: position, field, row, layout)
  }

  /// Replaces an element without recording.
  func assignElement(
    _ value: StoredValue, at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    let old = field.canLink ? try readView.list(field, row, layout).element(at: position) : .null
    try writer(layout).setElement(value, at: position, field.column, row: row)
    try relink(field, from: old, to: value, origin: row)
    if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    changed()
  }

  package func moveElement(from source: Int, to target: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout)
    throws
  {
    guard source != target else { return }
    if let recorder {
      let size = try readView.list(field, row, layout).count
      try recorder.arrayMove(field, row, layout, from: source, to: target, priorSize: size, in: readView)
    }
    try writer(layout).moveElement(from: source, to: target, field.column, row: row)
    changed()
  }

  package func removeElement(at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if let recorder {
      let size = try readView.list(field, row, layout).count
      try recorder.arrayErase(field, row, layout, position, priorSize: size, in: readView)
    }
    let old = field.canLink ? try readView.list(field, row, layout).element(at: position) : .null
    try writer(layout).removeElement(at: position, field.column, row: row)
    try forgetElement(old, field, row)
  }

  /// Empties a list. An empty one is left alone.
  package func clearList(_ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    let list = try readView.list(field, row, layout)
    guard list.count > 0 else { return }
    try recorder?.clear(field, row, layout, .list, in: readView)
    let old = field.canLink ? try list.elements() : []
    try writer(layout).removeAllElements(field.column, row: row)
    for value in old { try forgetElement(value, field, row) }
    changed()
  }

  func forgetElement(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey) throws {
    try relink(field, from: value, to: .null, origin: row)
    if case .link(let table, let child) = value { try eraseIfEmbedded(child, table) }
    changed()
  }
}
