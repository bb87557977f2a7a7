import DataModel
import StorageEngine

extension StoreWriter {
  /// Sets a single field.
  ///
  /// An embedded object that the field held dies.
  package func set(_ value: StoredValue, _ cell: Cell, isDefault: Bool = false) throws {
    if let recorder { try recorder.update(cell, value, isDefault: isDefault, in: readView) }
    try assign(value, cell)
  }

  /// Sets a single field without recording.
  package func assign(_ value: StoredValue, _ cell: Cell) throws {
    if cell.field.index != nil || cell.field.canLink {
      let old = try readView.value(cell)
      if let index = cell.field.index {
        if let key = IndexKey(old, of: cell.field) { try remove(key, cell.row, index) }
        if let key = IndexKey(value, of: cell.field) { try insert(key, cell.row, index) }
      }
      try write(value, cell)
      try relink(cell.field, from: old, to: value, origin: cell.row)
      if case .link(let table, let child) = old, value != old { try eraseIfEmbedded(child, table) }
    } else {
      try write(value, cell)
    }
    changed()
  }

  /// Sets a field of a row that was just inserted, so that there is nothing old to take care of.
  package func initialize(_ value: StoredValue, _ cell: Cell) throws {
    if let index = cell.field.index, let key = IndexKey(value, of: cell.field) { try insert(key, cell.row, index) }
    try write(value, cell)
    if value.mayLink { try relink(cell.field, from: .null, to: value, origin: cell.row) }
  }

  /// Writes the cell.
  package func write(_ value: StoredValue, _ cell: Cell) throws {
    let writer = try writer(cell.layout)
    let column = cell.field.column
    if cell.field.columnType == .mixed { return try writer.setMixed(value, column, row: cell.row) }
    switch value {
    case .null:
      if cell.field.columnType == .link {
        try writer.setLink(.none, column, row: cell.row)
      } else {
        try writer.setNull(column, row: cell.row)
      }
    case .int(let value): try writer.setInt(value, column, row: cell.row)
    case .bool(let value): try writer.setBool(value, column, row: cell.row)
    case .float(let value): try writer.setFloat(value, column, row: cell.row)
    case .double(let value): try writer.setDouble(value, column, row: cell.row)
    case .string(let value): try writer.setString(value, column, row: cell.row)
    case .data(let value): try writer.setData(value, column, row: cell.row)
    case .timestamp(let value): try writer.setTimestamp(value, column, row: cell.row)
    case .decimal128(let value): try writer.setDecimal128(value, column, row: cell.row)
    case .objectId(let value): try writer.setObjectId(value, column, row: cell.row)
    case .uuid(let value): try writer.setUUID(value, column, row: cell.row)
    case .link(_, let target): try writer.setLink(target, column, row: cell.row)
    case .list, .dictionary: preconditionFailure("a field that is not mixed holds no nested collection")
    }
  }

  /// Adds to an integer; null stays null. Wraps around.
  func add(_ amount: Int64, _ cell: Cell) throws {
    guard case .int(let old) = try readView.value(cell) else { return }
    if let recorder { try recorder.addInteger(cell, amount, in: readView) }
    try assign(.int(old &+ amount), cell)
  }
}
