import DataModel
import StorageEngine

extension StoreWriter {
  /// A new embedded object in a single field, in the place of what the field held.
  package func createEmbedded(_ cell: Cell) throws -> RowKey {
    let target = embeddedLayout(cell.field)
    if let recorder {
      if try readView.value(cell) != .null {
        try recorder.update(cell, path: [], .null, in: readView)
      }
      try recorder.update(cell, path: [], .objectValue, in: readView)
    }
    let child = try insertEmbedded(target)
    try assign(.link(target.table, child), cell)
    return child
  }

  /// A new embedded object in a list.
  package func insertEmbedded(at position: Int, _ cell: Cell) throws -> RowKey {
    let target = embeddedLayout(cell.field)
    let child = try insertEmbedded(target)
    try insert(.link(target.table, child), at: position, cell)
    return child
  }

  /// A new embedded object under a key of a dictionary, in the place of what was there.
  package func createEmbedded(for key: String, _ cell: Cell) throws -> RowKey {
    let target = embeddedLayout(cell.field)
    // Concurrent changes inside the old object must not reach the new one.
    if recorder != nil, case .link? = try readView.map(cell).value(for: Array(key.utf8)) {
      try removeEntry(for: key, cell)
    }
    let child = try insertEmbedded(target)
    try setEntry(.link(target.table, child), for: key, cell)
    return child
  }

  private func insertEmbedded(_ layout: ClassLayout) throws -> RowKey {
    let child = try writer(layout).insertRow()
    changed()
    return child
  }

  private func embeddedLayout(_ field: FieldLayout) -> ClassLayout {
    guard let layout = catalog[field.target ?? ""], layout.kind == .embedded else {
      preconditionFailure("only a field of an embedded class takes an embedded object")
    }
    return layout
  }
}
