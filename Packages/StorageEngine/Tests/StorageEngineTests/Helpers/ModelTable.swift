import DataModel
import Foundation
import StorageEngine
import TestKit

/// A table as plain dictionaries, which the engine must equal.
struct ModelTable: Equatable {
  struct Column: Equatable {
    var id: ColumnID
    var name: String
    var type: ColumnType
    var isNullable: Bool
  }

  enum Cell: Equatable {
    case value(StoredValue)
    case list([StoredValue])
    case map([[UInt8]: StoredValue])

    /// Whether both are stored in the same bits, which is more than being equal.
    func isIdentical(to other: Cell) -> Bool {
      switch (self, other) {
      case (.value(let left), .value(let right)): left.isIdentical(to: right)
      case (.list(let left), .list(let right)):
        left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
      case (.map(let left), .map(let right)):
        left.count == right.count && left.allSatisfy { key, value in right[key]?.isIdentical(to: value) ?? false }
      default: false
      }
    }
  }

  var id: TableID
  var name: String
  var columns: [Column] = []
  var rows: [RowKey: [ColumnID: Cell]] = [:]
  var intIndex: IndexID?
  var intEntries: Set<[Int64]> = []
  var bytesIndex: IndexID?
  var bytesEntries: Set<[UInt8]> = []

  /// The value of a cell of the column before it is set.
  static func initial(_ column: Column) -> Cell {
    switch column.type {
    case .list: return .list([])
    case .map: return .map([:])
    case _ where column.isNullable: return .value(.null)
    case .int: return .value(.int(0))
    case .bool: return .value(.bool(false))
    case .float: return .value(.float(0))
    case .double: return .value(.double(0))
    case .string: return .value(.string(""))
    case .data: return .value(.data([]))
    case .timestamp: return .value(.timestamp(Timestamp(seconds: 0)))
    case .decimal128: return .value(.decimal128(Decimal128()))
    case .objectId: return .value(.objectId(.zero))
    case .uuid: return .value(.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))))
    case .link, .mixed: return .value(.null)
    }
  }
}

extension StoredValue {
  /// Whether both are stored in the same bits: 1.0 and 1.00 are equal decimals and are not.
  func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.decimal128(let left), .decimal128(let right)): left.high == right.high && left.low == right.low
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count && left.allSatisfy { key, value in right[key]?.isIdentical(to: value) ?? false }
    default: self == other
    }
  }

  static func random(_ type: ColumnType, using random: inout SeededGenerator) -> StoredValue {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
    switch type {
    case .int:
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .int(Int64.random(in: .min ... .max, using: &random))
      case 1: return .int([.min, .max, 0, -1].randomElement(using: &random) ?? 0)
      default: return .int(Int64.random(in: -300...300, using: &random))
      }
    case .bool: return .bool(Bool.random(using: &random))
    case .float: return .float(Float.random(in: -1e6...1e6, using: &random))
    case .double: return .double(Double.random(in: -1e9...1e9, using: &random))
    case .string: return .string(String(repeating: "aé漢🎉".randomElement(using: &random) ?? "a", count: length(&random)))
    case .data: return .data(bytes(length(&random)))
    case .timestamp:
      let seconds = Int64.random(in: -5_000_000_000...5_000_000_000, using: &random)
      let nanoseconds = Int32.random(in: 0..<1_000_000_000, using: &random)
      return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
    case .decimal128: return .decimal128(Decimal128(high: random.next(), low: random.next()))
    case .objectId: return .objectId(ObjectId(bytes: bytes(12)) ?? .zero)
    case .uuid: return .uuid(bytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case .link: return .link(TableID(0), RowKey(Int64.random(in: 0..<1000, using: &random)))
    case .list, .map, .mixed:
      let types: [ColumnType] = [
        .int, .bool, .float, .double, .string, .data, .timestamp, .decimal128, .objectId, .uuid, .link,
      ]
      if random.oneIn(20) { return .list((0..<3).map { _ in .random(.int, using: &random) }) }
      if random.oneIn(20) { return .dictionary(["k": .random(.string, using: &random)]) }
      return .random(types.randomElement(using: &random) ?? .int, using: &random)
    }
  }

  private static func length(_ random: inout SeededGenerator) -> Int {
    random.oneIn(15) ? Int.random(in: 900...3000, using: &random) : Int.random(in: 0...20, using: &random)
  }
}

extension StorageReader {
  /// The cell of a row in the model's terms.
  func cell(_ column: ModelTable.Column, _ row: RowKey, _ table: TableID) throws -> ModelTable.Cell {
    if column.type == .list { return .list(try list(column.id, row: row, of: table).elements()) }
    if column.type == .map {
      var entries: [[UInt8]: StoredValue] = [:]
      try map(column.id, row: row, of: table).forEach { key, value in
        entries[key] = value
        return true
      }
      return .map(entries)
    }
    guard let cluster = try cluster(of: row, in: table) else { return .value(.null) }
    let (id, slot) = (column.id, row.slot)
    if column.isNullable, cluster.isNull(id, slot: slot) { return .value(.null) }
    let value: StoredValue =
      switch column.type {
      case .int: .int(cluster.int(id, slot: slot))
      case .bool: .bool(cluster.bool(id, slot: slot))
      case .float: .float(cluster.float(id, slot: slot))
      case .double: .double(cluster.double(id, slot: slot))
      case .string: .string(try cluster.string(id, slot: slot))
      case .data: .data(try cluster.data(id, slot: slot))
      case .timestamp: .timestamp(cluster.timestamp(id, slot: slot))
      case .decimal128: .decimal128(cluster.decimal128(id, slot: slot))
      case .objectId: .objectId(cluster.objectId(id, slot: slot))
      case .uuid: .uuid(cluster.uuid(id, slot: slot))
      case .link: cluster.link(id, slot: slot) == .none ? .null : .link(TableID(0), cluster.link(id, slot: slot))
      case .mixed, .list, .map: try cluster.mixed(id, slot: slot)
      }
    return .value(value)
  }
}

extension TableWriter {
  func set(_ value: StoredValue, _ column: ColumnID, row: RowKey, mixed: Bool) throws {
    if mixed { return try setMixed(value, column, row: row) }
    switch value {
    case .null: try setNull(column, row: row)
    case .int(let value): try setInt(value, column, row: row)
    case .bool(let value): try setBool(value, column, row: row)
    case .float(let value): try setFloat(value, column, row: row)
    case .double(let value): try setDouble(value, column, row: row)
    case .string(let value): try setString(value, column, row: row)
    case .data(let value): try setData(value, column, row: row)
    case .timestamp(let value): try setTimestamp(value, column, row: row)
    case .decimal128(let value): try setDecimal128(value, column, row: row)
    case .objectId(let value): try setObjectId(value, column, row: row)
    case .uuid(let value): try setUUID(value, column, row: row)
    case .link(_, let row2): try setLink(row2, column, row: row)
    case .list, .dictionary: try setMixed(value, column, row: row)
    }
  }
}
