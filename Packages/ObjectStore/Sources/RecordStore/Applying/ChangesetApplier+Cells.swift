import ChangesetOT
import DataModel
import StorageEngine

extension ChangesetApplier {
  /// Sets a field on which nothing else depends, or makes one null that is null: what most instructions do.
  ///
  /// - Returns: false when there is more to it, or when it must be refused; nothing has happened then.
  func updateCell(_ it: Update) throws -> Bool {
    guard it.target.path.isEmpty, try recall(it.target.object), let layout = last.layout, let table = last.table
    else { return false }
    // A dirty value is not set here, and may no longer be null.
    if dirty.isOpen, it.payload == .null { return false }
    return try it.payload.withCell { try setCell(it.target.field, $0, $1, layout, table) } ?? false
  }

  /// The same with everything of the kind that comes next in the bytes of a changeset and is of the object addressed last.
  func setCells(_ reader: inout ChangesetReader) throws {
    guard !dirty.isOpen, let object = reader.addressed, last.isAbout(object), let layout = last.layout,
      let table = last.table
    else { return }
    while let cell = try reader.nextCell() {
      let isSet = try reader.withBytes(of: cell) {
        try setCell(reader.text(cell.field), cell.value, $0, layout, table)
      }
      guard isSet else { return reader.returnCell() }
    }
  }

  private func setCell(
    _ field: String, _ value: CellValue, _ bytes: UnsafeRawBufferPointer, _ layout: ClassLayout, _ table: TableWriter
  ) throws -> Bool {
    guard let number = layout.number(of: field, expecting: last.nextField), let cell = layout.cells[number] else {
      return false
    }
    if case .null = value {
      guard cell.isNullable, try table.isNull(cell.column, row: last.row) else { return false }
    } else {
      guard cell.isPlain, try write(value, bytes, cell, last.row, table) else { return false }
      writer.changed()
    }
    last.nextField = number + 1
    return true
  }

  /// Writes a value of the field's own type; gives false for every other.
  private func write(
    _ value: CellValue, _ bytes: UnsafeRawBufferPointer, _ cell: CellLayout, _ row: RowKey, _ table: TableWriter
  ) throws -> Bool {
    let column = cell.column
    switch (value, cell.type) {
    case (.int(let value), .int): try table.setInt(value, column, row: row)
    case (.bool(let value), .bool): try table.setBool(value, column, row: row)
    case (.float(let value), .float): try table.setFloat(Float(bitPattern: value), column, row: row)
    case (.double(let value), .double): try table.setDouble(Double(bitPattern: value), column, row: row)
    case (.string, .string): try table.setString(utf8: bytes, column, row: row)
    case (.data, .data): try table.setData(bytes, column, row: row)
    case (.timestamp(let value), .date): try table.setTimestamp(value, column, row: row)
    case (.decimal128(let value), .decimal128): try table.setDecimal128(value, column, row: row)
    case (.objectId(let value), .objectId): try table.setObjectId(value, column, row: row)
    case (.uuid(let value), .UUID): try table.setUUID(value, column, row: row)
    default: return false
    }
    return true
  }
}
