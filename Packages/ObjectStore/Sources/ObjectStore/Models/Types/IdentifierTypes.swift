public import DataModel
public import Foundation
public import StorageEngine

// Dates, decimal numbers and identifiers as properties and elements.

extension Date: _PersistableValue, _PersistableInsideOptional, _Indexable, MinMaxType, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Date
  /// Stored as `.date`.
  public static var _valueType: _ValueType { _ValueType(.date) }
  /// Properties start with `Date()`.
  public static func _defaultValue() -> Date { Date() }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Date {
    Date(cluster.timestamp(column, slot: state.pointee.slot))
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Date, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setTimestamp(Timestamp(value), column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Date {
    if case .timestamp(let value) = stored { return Date(value) }
    return Date(timeIntervalSince1970: 0)
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .timestamp(Timestamp(self)) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Date? { any as? Date }

  /// The nearest date to a timestamp.
  public init(_ timestamp: Timestamp) {
    // Counted from 2001, as `Date` does, so that a stored date is restored exactly.
    self.init(
      timeIntervalSinceReferenceDate: (Double(timestamp.seconds) - Self.timeIntervalBetween1970AndReferenceDate)
        + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// The timestamp of a date. Dates out of range give the least or greatest timestamp.
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
    // Seconds and nanoseconds have the same sign.
    if seconds < 0, nanoseconds > 0 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    self = Timestamp(validating: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: seconds)
  }
}

extension Decimal128: _PersistableValue, _PersistableInsideOptional, MinMaxType, AddableType, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Decimal128
  /// Stored as `.decimal128`.
  public static var _valueType: _ValueType { _ValueType(.decimal128) }
  /// Properties start with 0.
  public static func _defaultValue() -> Decimal128 {
    Decimal128(isNegative: false, coefficient: 0, exponent: 0) ?? Decimal128(high: 0, low: 0)
  }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Decimal128 {
    cluster.decimal128(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Decimal128, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setDecimal128(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Decimal128 {
    if case .decimal128(let value) = stored { return value }
    return _defaultValue()
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .decimal128(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Decimal128? {
    switch any {
    case let value as Decimal128: value
    case let value as String: Decimal128(validating: value)
    default: NumberLiteral(any)?.decimal
    }
  }
}

extension ObjectId: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  /// Stored as itself.
  public typealias PersistedType = ObjectId
  /// Stored as `.objectId`.
  public static var _valueType: _ValueType { _ValueType(.objectId) }
  /// Properties start with `generate()`.
  public static func _defaultValue() -> ObjectId { generate() }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> ObjectId {
    cluster.objectId(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: ObjectId, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setObjectId(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> ObjectId {
    if case .objectId(let value) = stored { return value }
    return .zero
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .objectId(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> ObjectId? {
    any as? ObjectId ?? (any as? String).flatMap { try? ObjectId(string: $0) }
  }
}

extension UUID: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  /// Stored as itself.
  public typealias PersistedType = UUID
  /// Stored as `.UUID`.
  public static var _valueType: _ValueType { _ValueType(.UUID) }
  /// Properties start with `UUID()`.
  public static func _defaultValue() -> UUID { UUID() }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> UUID {
    cluster.uuid(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: UUID, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setUUID(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> UUID {
    if case .uuid(let value) = stored { return value }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .uuid(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> UUID? {
    any as? UUID ?? (any as? String).flatMap { UUID(uuidString: $0) }
  }
}
