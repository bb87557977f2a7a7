import StorageEngine

extension Catalog {
  /// Whether the file has every table, column and index that the catalog names, of the type that it implies: who reads
  /// or writes by the catalog relies on it. O(fields · log fields).
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

/// The numbers of columns or indexes of a table. Numbers ascend: each new one gets the next.
private struct TableParts {
  private let table: TableDefinition

  init(_ table: TableDefinition) { self.table = table }

  func has(_ column: ColumnID, _ type: ColumnType) -> Bool {
    Self.part(column.rawValue, of: table.columns) { $0.id.rawValue }?.type == type
  }

  /// Whether the table has the index; true for none.
  func has(_ index: IndexID?, _ kind: IndexKind) -> Bool {
    index.map { Self.part($0.rawValue, of: table.indexes) { $0.id.rawValue }?.kind == kind } ?? true
  }

  private static func part<Part>(_ number: Int, of parts: [Part], by numberOf: (Part) -> Int) -> Part? {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if numberOf(parts[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low < parts.count && numberOf(parts[low]) == number ? parts[low] : nil
  }

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
