import DataModel

/// Plain values as the rows of one class with one property.
final class ValueSource: QuerySource {
  let schema: Schema
  private let values: [Value]

  /// - Parameter schema: its first class is that of the values.
  init(_ values: [Value], _ schema: Schema) {
    self.values = values
    self.schema = schema
  }

  func table(_ className: String) -> (any QueryTable)? {
    guard let own = schema.objectSchema.first, own.className == className else { return nil }
    return ValueTable(schema: own, values: values)
  }
}

private final class ValueTable: QueryTable {
  static let clusterSize = 256
  let schema: ObjectSchema
  private let values: [Value]

  init(schema: ObjectSchema, values: [Value]) {
    self.schema = schema
    self.values = values
  }

  var rowCount: Int { values.count }
  var rowKeyBound: QueryRow { QueryRow(values.count) }
  var clusterCount: Int { (values.count + Self.clusterSize - 1) / Self.clusterSize }

  func cluster(at position: Int) -> any QueryCluster {
    let start = position * Self.clusterSize
    return ValueCluster(values[start..<min(values.count, start + Self.clusterSize)])
  }

  func location(of row: QueryRow) -> RowLocation? {
    guard values.indices.contains(Int(row)) else { return nil }
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
  private let values: ArraySlice<Value>

  init(_ values: ArraySlice<Value>) { self.values = values }

  var slotCount: Int { values.count }
  var firstRow: QueryRow { QueryRow(values.startIndex) }
  var liveSlots: UnsafeRawPointer? { nil }
  func column(_ property: Int) -> ColumnView { .generic }
  func value(of property: Int, slot: Int) -> Value { values[values.startIndex + slot] }
  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) {}
}
