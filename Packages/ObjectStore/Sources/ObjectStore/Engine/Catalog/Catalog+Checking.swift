import StorageEngine

extension Catalog {
  /// Whether the file has every table, column and index that the catalog names, of the type that it implies: who reads
  /// or writes by the catalog relies on it. O(fields).
  func isBorne(by reader: any StorageReader) -> Bool {
    let isComplete = classes.allSatisfy { layout in
      reader.table(layout.table).map { TableParts($0).bear(layout) } ?? false
    }
    guard isComplete, let unresolved else { return isComplete }
    guard let parts = reader.table(unresolved.table).map({ TableParts($0) }) else { return false }
    return parts.has(unresolved.classColumn, .int) && parts.has(unresolved.keyColumn, .data)
      && parts.has(unresolved.index, .bytes)
  }
}

/// What a table has, by number.
private struct TableParts {
  let columns: [ColumnID: ColumnType]
  let indexes: [IndexID: IndexKind]

  init(_ table: TableDefinition) {
    columns = Dictionary(table.columns.map { ($0.id, $0.type) }, uniquingKeysWith: { first, _ in first })
    indexes = Dictionary(table.indexes.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ column: ColumnID, _ type: ColumnType) -> Bool { columns[column] == type }

  /// Whether the table has the index; true for none.
  func has(_ index: IndexID?, _ kind: IndexKind) -> Bool { index.map { indexes[$0] == kind } ?? true }

  func bear(_ layout: ClassLayout) -> Bool {
    if let key = layout.key {
      guard has(key.index, key.hasIntegerIndex ? .int : .bytes) else { return false }
      if let column = key.globalColumn, !has(column, .data) { return false }
    }
    return layout.fields.allSatisfy { field in
      has(field.column, field.columnType) && has(field.index, field.hasIntegerIndex ? .int : .bytes)
        && has(field.backlinks, field.isFree ? .bytes : .int) && has(field.repeats, .bytes)
    }
  }
}
