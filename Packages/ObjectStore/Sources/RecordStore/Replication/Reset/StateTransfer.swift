import ChangesetOT
import DataModel
import StorageEngine

/// Makes one file hold what another holds, object by object: rows that stay keep their identity, so that observers see a
/// difference and not a replacement.
///
/// The changeset recorded meanwhile leads other devices to the same state.
struct StateTransfer {
  let source: ReadView
  let target: StoreWriter
  /// Whether a link to an object that the target lacks leaves its name; otherwise it becomes null, and is left out of
  /// lists and sets.
  let keepsUnresolved: Bool

  /// Everything: classes, fields, objects, values.
  ///
  /// - Throws: ``Refusal`` when a class or field is declared differently on both sides.
  func transferAll() throws {
    try SchemaTransfer(target: target).add(source.catalog)
    target.defersLinks = true
    try eraseExtra()
    try createMissing()
    target.defersLinks = false
    try target.settleLinks()
    for layout in source.catalog.classes where layout.kind == .topLevel {
      guard let other = target.catalog[layout.name] else { continue }
      for row in try source.rows(layout) {
        guard let twin = try target.readView.row(try source.key(row, layout), other) else { continue }
        try transferFields(from: row, layout, to: twin, other)
      }
    }
  }

  private func eraseExtra() throws {
    for layout in target.catalog.classes where layout.kind == .topLevel {
      let twin = source.catalog[layout.name]
      for row in try target.readView.rows(layout) {
        let key = try target.readView.key(row, layout)
        if let twin, try source.row(key, twin) != nil { continue }
        try target.erase(row, layout, incoming: .unresolve)
      }
    }
  }

  private func createMissing() throws {
    for layout in source.catalog.classes where layout.kind == .topLevel {
      guard let twin = target.catalog[layout.name] else { continue }
      for row in try source.rows(layout) { _ = try target.create(try source.key(row, layout), twin) }
    }
  }

  /// Every field of an object but its key.
  func transferFields(from row: RowKey, _ layout: ClassLayout, to twin: RowKey, _ other: ClassLayout) throws {
    for field in layout.fields where layout.keyField?.column != field.column {
      guard let same = other.field(field.name) else { continue }
      try transfer(Cell(layout, row, field), to: Cell(other, twin, same))
    }
  }

  /// One field.
  func transfer(_ cell: Cell, to twin: Cell) throws {
    switch (twin.field.collection, embedded(twin.field)) {
    case (.single, nil): try transferValue(try source.value(cell), to: twin)
    case (.single, let child?): try transferEmbedded(cell, to: twin, child)
    case (.list, nil): try transferList(cell, to: twin)
    case (.list, let child?): try transferEmbeddedList(cell, to: twin, child)
    case (.dictionary, let child): try transferEntries(cell, to: twin, child)
    case (.set, _): try transferMembers(cell, to: twin)
    }
  }

  private func embedded(_ field: FieldLayout) -> ClassLayout? {
    guard field.isFixedLink, let layout = target.catalog[field.target ?? ""], layout.kind == .embedded else {
      return nil
    }
    return layout
  }

  private func transferValue(_ value: StoredValue, to cell: Cell) throws {
    let new = try translated(value) ?? .null
    if try target.readView.value(cell) != new { try target.set(new, cell) }
  }

  // MARK: Values

  /// The value as the target says it; nil for a link to nothing that it knows.
  func translated(_ value: StoredValue) throws -> StoredValue? {
    switch value {
    case .link(let table, let row):
      guard let reference = try source.reference(table, row), let layout = target.catalog[reference.className] else {
        return nil
      }
      if keepsUnresolved { return .link(layout.table, try target.linkRow(reference.key, layout)) }
      return try target.readView.row(reference.key, layout).map { .link(layout.table, $0) }
    case .list(let elements): return .list(try elements.compactMap(translated))
    case .dictionary(let entries): return .dictionary(try entries.mapValues { try translated($0) ?? .null })
    default: return value
    }
  }
}
