import DataModel
import StorageEngine

extension StoreWriter {
  /// Sets a single field.
  ///
  /// An embedded object that the field held dies.
  package func set(
    _ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout, isDefault: Bool = false
  ) throws {
    if let recorder { try recorder.update(field, row, layout, value, isDefault: isDefault, in: readView) }
    try assign(value, field, row, layout)
  }

  /// Sets a single field without recording.
  package func assign(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if field.index != nil || field.canLink {
      let old = try readView.value(field, row, layout)
      if let index = field.index {
        if let key = IndexKey(old, of: field) { try remove(key, row, index) }
        if let key = IndexKey(value, of: field) { try insert(key, row, index) }
      }
      try write(value, field, row, layout)
      try relink(field, from: old, to: value, origin: row)
      if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    } else {
      try write(value, field, row, layout)
    }
    changed()
  }

  /// Sets a field of a row that was just inserted, so that there is nothing old to take care of.
  package func initialize(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if let index = field.index, let key = IndexKey(value, of: field) { try insert(key, row, index) }
    try write(value, field, row, layout)
    if value.mayLink { try relink(field, from: .null, to: value, origin: row) }
  }

  /// Writes the cell.
  package func write(_ value: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    let writer = try writer(layout)
    let column = field.column
    if field.columnType == .mixed { return try writer.setMixed(value, column, row: row) }
    switch value {
    case .null:
      if field.columnType == .link {
        try writer.setLink(.none, column, row: row)
      } else {
        try writer.setNull(column, row: row)
      }
    case .int(let value): try writer.setInt(value, column, row: row)
    case .bool(let value): try writer.setBool(value, column, row: row)
    case .float(let value): try writer.setFloat(value, column, row: row)
    case .double(let value): try writer.setDouble(value, column, row: row)
    case .string(let value): try writer.setString(value, column, row: row)
    case .data(let value): try writer.setData(value, column, row: row)
    case .timestamp(let value): try writer.setTimestamp(value, column, row: row)
    case .decimal128(let value): try writer.setDecimal128(value, column, row: row)
    case .objectId(let value): try writer.setObjectId(value, column, row: row)
    case .uuid(let value): try writer.setUUID(value, column, row: row)
    case .link(_, let target): try writer.setLink(target, column, row: row)
    case .list, .dictionary: preconditionFailure("a field that is not mixed holds no nested collection")
    }
  }

  /// Adds to an integer; null stays null. Wraps around.
  func add(_ amount: Int64, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    guard case .int(let old) = try readView.value(field, row, layout) else { return }
    if let recorder { try recorder.addInteger(field, row, layout, amount, in: readView) }
    try assign(.int(old &+ amount), field, row, layout)
  }
}
