public import DataModel
public import Foundation
public import StorageEngine

// Dates, decimal numbers and identifiers as properties and elements.

extension Date: _PersistableValue, _PersistableInsideOptional, _Indexable, MinMaxType, SortableType {
  public typealias PersistedType = Date
  public static var _valueType: _ValueType { _ValueType(.date) }
  public static func _defaultValue() -> Date { Date() }
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Date {
    Date(cluster.timestamp(column, slot: state.pointee.slot))
  }
  public static func _store(_ value: Date, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setTimestamp(Timestamp(value), column, row: row)
  }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Date {
    if case .timestamp(let value) = stored { return Date(value) }
    return Date(timeIntervalSince1970: 0)
  }
  public func _encoded(_ view: RealmView) -> StoredValue { .timestamp(Timestamp(self)) }
  public static func _converted(_ any: Any) -> Date? { any as? Date }

  /// The point in time, as near as the type can say.
  public init(_ timestamp: Timestamp) {
    // Counted from 2001, as the type counts: what was stored of a date comes back as the same date.
    self.init(
      timeIntervalSinceReferenceDate: (Double(timestamp.seconds) - Self.timeIntervalBetween1970AndReferenceDate)
        + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// The point in time; dates beyond the range of seconds become its ends.
  public init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval > -9e18, interval < 9e18 else {
      self.init(seconds: interval > 0 ? Int64.max : interval < 0 ? Int64.min : 0)
      return
    }
    let whole = interval.rounded(.down)
    var seconds = Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate)
    var nanoseconds = Int32(((interval - whole) * 1e9).rounded())
    if nanoseconds >= 1_000_000_000 {
      seconds += 1
      nanoseconds = 0
    }
    // Both parts have one sign.
    if seconds < 0, nanoseconds > 0 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    self = Timestamp(validating: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: seconds)
  }
}

extension Decimal128: _PersistableValue, _PersistableInsideOptional, MinMaxType, AddableType, SortableType {
  public typealias PersistedType = Decimal128
  public static var _valueType: _ValueType { _ValueType(.decimal128) }
  public static func _defaultValue() -> Decimal128 {
    Decimal128(isNegative: false, coefficient: 0, exponent: 0) ?? Decimal128(high: 0, low: 0)
  }
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Decimal128 {
    cluster.decimal128(column, slot: state.pointee.slot)
  }
  public static func _store(_ value: Decimal128, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setDecimal128(value, column, row: row)
  }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Decimal128 {
    if case .decimal128(let value) = stored { return value }
    return _defaultValue()
  }
  public func _encoded(_ view: RealmView) -> StoredValue { .decimal128(self) }
  public static func _converted(_ any: Any) -> Decimal128? {
    switch any {
    case let value as Decimal128: value
    case let value as String: Decimal128(validating: value)
    case let value as any BinaryInteger: Int64(exactly: value).map { Decimal128($0) }
    case let value as Float: Decimal128(value)
    case let value as Double: Decimal128(value)
    case let value as Decimal: Decimal128(validating: value.description)
    case let value as NSNumber: Decimal128(validating: value.stringValue)
    default: nil
    }
  }
}

extension ObjectId: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  public typealias PersistedType = ObjectId
  public static var _valueType: _ValueType { _ValueType(.objectId) }
  public static func _defaultValue() -> ObjectId { generate() }
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> ObjectId {
    cluster.objectId(column, slot: state.pointee.slot)
  }
  public static func _store(_ value: ObjectId, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setObjectId(value, column, row: row)
  }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> ObjectId {
    if case .objectId(let value) = stored { return value }
    return .zero
  }
  public func _encoded(_ view: RealmView) -> StoredValue { .objectId(self) }
  public static func _converted(_ any: Any) -> ObjectId? {
    any as? ObjectId ?? (any as? String).flatMap { try? ObjectId(string: $0) }
  }
}

extension UUID: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  public typealias PersistedType = UUID
  public static var _valueType: _ValueType { _ValueType(.UUID) }
  public static func _defaultValue() -> UUID { UUID() }
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> UUID {
    cluster.uuid(column, slot: state.pointee.slot)
  }
  public static func _store(_ value: UUID, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setUUID(value, column, row: row)
  }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> UUID {
    if case .uuid(let value) = stored { return value }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public func _encoded(_ view: RealmView) -> StoredValue { .uuid(self) }
  public static func _converted(_ any: Any) -> UUID? {
    any as? UUID ?? (any as? String).flatMap { UUID(uuidString: $0) }
  }
}
