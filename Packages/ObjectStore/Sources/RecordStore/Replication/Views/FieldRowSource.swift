import DataModel
import QueryLanguage

/// States of objects of one class as the rows of a query: the values of some fields, without links, keys and indexes.
final class FieldRowSource: QuerySource {
  let schema: Schema
  private let className: String
  private let rows: [[Value]]
  private let positions: [Int?]

  /// - Parameter positions: of each property of the class in a row; nil for those that no query asks for.
  init(_ schema: Schema, _ className: String, _ rows: [[Value]], _ positions: [Int?]) {
    self.schema = schema
    self.className = className
    self.rows = rows
    self.positions = positions
  }

  func table(_ className: String) -> (any QueryTable)? {
    guard className == self.className, let own = schema[className] else { return nil }
    return FieldRowTable(schema: own, rows: rows, positions: positions)
  }
}

private final class FieldRowTable: QueryTable {
  static let clusterSize = 256
  let schema: ObjectSchema
  private let rows: [[Value]]
  private let positions: [Int?]

  init(schema: ObjectSchema, rows: [[Value]], positions: [Int?]) {
    self.schema = schema
    self.rows = rows
    self.positions = positions
  }

  var rowCount: Int { rows.count }
  var rowKeyBound: QueryRow { QueryRow(rows.count) }
  var clusterCount: Int { (rows.count + Self.clusterSize - 1) / Self.clusterSize }

  func cluster(at position: Int) -> any QueryCluster {
    let start = position * Self.clusterSize
    return FieldRowCluster(rows[start..<min(rows.count, start + Self.clusterSize)], positions)
  }

  func location(of row: QueryRow) -> RowLocation? {
    guard rows.indices.contains(Int(row)) else { return nil }
    return RowLocation(cluster: Int(row) / Self.clusterSize, slot: Int(row) % Self.clusterSize)
  }

  func row(forKey key: ObjectKey) -> QueryRow? { nil }
  func objectKey(of row: QueryRow) -> ObjectKey? { nil }
  func index(over property: Int) -> (any QueryIndex)? { nil }
  func appendBacklinks(of row: QueryRow, from originClass: String, property: Int, to rows: inout [QueryRow]) {}
  func incomingLinkCount(of row: QueryRow) -> Int { 0 }
}

private final class FieldRowCluster: QueryCluster {
  private let rows: ArraySlice<[Value]>
  private let positions: [Int?]

  init(_ rows: ArraySlice<[Value]>, _ positions: [Int?]) {
    self.rows = rows
    self.positions = positions
  }

  var slotCount: Int { rows.count }
  var firstRow: QueryRow { QueryRow(rows.startIndex) }
  var liveSlots: UnsafeRawPointer? { nil }
  func column(_ property: Int) -> ColumnView { .generic }

  func value(of property: Int, slot: Int) -> Value {
    let row = rows.startIndex + slot
    guard positions.indices.contains(property), let position = positions[property], rows.indices.contains(row) else {
      return .null
    }
    return position < rows[row].count ? rows[row][position] : .null
  }

  func appendLinkedRows(of property: Int, slot: Int, to rows: inout [QueryRow]) {}
}
