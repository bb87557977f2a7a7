import StorageEngine
import RecordStore

extension RealmView {
  /// Deletes an object and the objects that it owns.
  func delete(_ object: ObjectBase) {
    if refusal != nil { return }
    guard let access = object.state.pointee.access?.takeUnretainedValue(), access.view === self else {
      violated("Can only delete an object from the Realm it belongs to.")
    }
    _ = object.prepareForWriting()
    let row = object.state.pointee.row
    let layout = access.layout
    modify { writer in
      try cascading(from: [ClassRow(table: layout.table, row: row)], writer) { try self.delete(row, layout, writer) }
    }
  }

  /// Deletes a row. An embedded object is removed from its parent.
  private func delete(_ row: RowKey, _ layout: ClassLayout, _ writer: StoreWriter) throws {
    guard layout.kind == .embedded else { return try writer.erase(row, layout, incoming: .nullify) }
    guard let parent = try writer.readView.parent(of: row, layout) else { return try writer.drop(row, layout) }
    switch parent.step.last {
    case nil: try writer.set(.null, parent.cell)
    case .index(let index)?: try writer.removeElement(at: Int(index), parent.cell)
    case .name(let key)?: try writer.removeEntry(for: key, parent.cell)
    }
  }

  /// Deletes the objects of a collection and the objects that they own.
  func deleteAll(_ source: ResultsSource) {
    let rows = source.rows
    guard let access = source.elementAccess else { violated("Only objects can be deleted.") }
    let table = access.layout.table
    modify { writer in
      try cascading(from: rows.map { ClassRow(table: table, row: $0) }, writer) {
        for row in rows where try writer.readView.reader.contains(row, in: table) {
          try self.delete(row, access.layout, writer)
        }
      }
    }
  }
}
