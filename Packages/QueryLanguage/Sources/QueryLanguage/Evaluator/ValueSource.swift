import DataModel

/// Values in memory as the rows of one class; no other class has rows.
final class ValueSource: QuerySource {
  let schema: Schema
  private let own: ObjectSchema
  private let rows: ValueRows

  /// - Parameter own: the class of the rows, one of `schema`.
  init(_ rows: ValueRows, of own: ObjectSchema, in schema: Schema) {
    self.rows = rows
    self.own = own
    self.schema = schema
  }

  func table(_ className: String) -> (any QueryTable)? {
    own.className == className ? ValueTable(schema: own, rows: rows) : nil
  }
}

/// Rows of equal width in one array, one after the other.
struct ValueRows {
  let values: [Value]
  let width: Int

  /// One row for each value.
  init(column values: [Value]) {
    self.values = values
    width = 1
  }

  /// One row; values beyond its end are null.
  init(row values: [Value]) {
    self.values = values
    width = values.count
  }

  var count: Int { width == 0 ? 1 : values.count / width }

  func value(of property: Int, row: Int) -> Value { property < width ? values[row * width + property] : .null }
}

private final class ValueTable: QueryTable {
  static let clusterSize = 256
  let schema: ObjectSchema
  private let rows: ValueRows

  init(schema: ObjectSchema, rows: ValueRows) {
    self.schema = schema
    self.rows = rows
  }

  var rowCount: Int { rows.count }
  var rowKeyBound: QueryRow { QueryRow(rows.count) }
  var clusterCount: Int { (rows.count + Self.clusterSize - 1) / Self.clusterSize }

  func cluster(at position: Int) -> any QueryCluster {
    let start = position * Self.clusterSize
    return ValueCluster(rows, start..<min(rows.count, start + Self.clusterSize))
  }

  func location(of row: QueryRow) -> RowLocation? {
    guard row >= 0, row < rowKeyBound else { return nil }
    return RowLocation(cluster: Int(row) / Self.clusterSize, slot: Int(row) % Self.clusterSize)
  }

  // Values have no keys, no indexes and no links to them.
  func row(forKey key: ObjectKey) -> QueryRow? { nil }
  func objectKey(of row: QueryRow) -> ObjectKey? { nil }
  func index(over property: Int) -> (any QueryIndex)? { nil }
  func appendBacklinks(of row: QueryRow, from originClass: String, property: Int, to rows: inout [QueryRow]) {}
  func incomingLinkCount(of row: QueryRow) -> Int { 0 }
}

private final class ValueCluster: QueryCluster {
  private let rows: ValueRows
  private let range: Range<Int>

  init(_ rows: ValueRows, _ range: Range<Int>) {
    self.rows = rows
    self.range = range
  }

  var slotCount: Int { range.count }
  var firstRow: QueryRow { QueryRow(range.lowerBound) }
  var liveSlots: UnsafeRawPointer? { nil }
  func column(_ property: Int) -> ColumnView { .generic }
  func value(of property: Int, slot: Int) -> Value { rows.value(of: property, row: range.lowerBound + slot) }
  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) {}
}
