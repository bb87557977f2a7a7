import ChangesetOT
import DataModel
import StorageEngine

extension ChangesetApplier {
  /// Sets a field on which nothing else depends, or makes one null that is null: what most instructions do.
  ///
  /// - Returns: false when there is more to it, or when it must be refused; nothing has happened then.
  func updateCell(_ it: Update) throws -> Bool {
    guard it.target.path.isEmpty, try recall(it.target.object), let layout = last.layout, let table = last.table,
      let number = layout.number(of: it.target.field, expecting: last.nextField), let cell = layout.cells[number]
    else { return false }
    try close()
    if case .null = it.payload {
      guard cell.isNullable, try isNull(cell, last.row, layout) else { return false }
    } else {
      guard cell.isPlain, try write(it.payload, cell, last.row, table) else { return false }
      writer.changed()
    }
    last.nextField = number + 1
    return true
  }

  private func isNull(_ cell: CellLayout, _ row: RowKey, _ layout: ClassLayout) throws -> Bool {
    guard let cluster = try writer.transaction.cluster(row.clusterIndex, of: layout.table) else { return false }
    if cell.isLink { return cluster.link(cell.column, slot: row.slot) == .none }
    return cluster.isNull(cell.column, slot: row.slot)
  }

  /// Writes a value of the field's own type; gives false for every other.
  private func write(_ payload: Payload, _ cell: CellLayout, _ row: RowKey, _ table: TableWriter) throws -> Bool {
    let column = cell.column
    switch (payload, cell.type) {
    case (.int(let value), .int): try table.setInt(value, column, row: row)
    case (.bool(let value), .bool): try table.setBool(value, column, row: row)
    case (.float(let value), .float): try table.setFloat(Float(bitPattern: value), column, row: row)
    case (.double(let value), .double): try table.setDouble(Double(bitPattern: value), column, row: row)
    case (.string(let value), .string): try table.setString(value, column, row: row)
    case (.data(let value), .data): try table.setData(value, column, row: row)
    case (.timestamp(let value), .date): try table.setTimestamp(value, column, row: row)
    case (.decimal128(let value), .decimal128): try table.setDecimal128(value, column, row: row)
    case (.objectId(let value), .objectId): try table.setObjectId(value, column, row: row)
    case (.uuid(let value), .UUID): try table.setUUID(value, column, row: row)
    default: return false
    }
    return true
  }
}
