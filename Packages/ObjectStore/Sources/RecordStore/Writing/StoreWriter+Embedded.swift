import DataModel
import StorageEngine

extension StoreWriter {
  /// A new embedded object in a single field, in the place of what the field held.
  package func createEmbedded(_ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws -> RowKey {
    let target = embeddedLayout(field)
    if let recorder {
      if try readView.value(field, row, layout) != .null {
        try recorder.update(field, row, layout, path: [], .null, in: readView)
      }
      try recorder.update(field, row, layout, path: [], .objectValue, in: readView)
    }
    let child = try insertEmbedded(target)
    try assign(.link(target.table, child), field, row, layout)
    return child
  }

  /// A new embedded object in a list.
  package func insertEmbedded(at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws
    -> RowKey
  {
    let target = embeddedLayout(field)
    let child = try insertEmbedded(target)
    try insert(.link(target.table, child), at: position, field, row, layout)
    return child
  }

  /// A new embedded object under a key of a dictionary, in the place of what was there.
  package func createEmbedded(for key: String, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws
    -> RowKey
  {
    let target = embeddedLayout(field)
    // Concurrent changes inside the old object must not reach the new one.
    if recorder != nil, case .link? = try readView.map(field, row, layout).value(for: Array(key.utf8)) {
      try removeEntry(for: key, field, row, layout)
    }
    let child = try insertEmbedded(target)
    try setEntry(.link(target.table, child), for: key, field, row, layout)
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
