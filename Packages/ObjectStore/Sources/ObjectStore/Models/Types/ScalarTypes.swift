import DataModel
public import Foundation
public import StorageEngine

// Numbers, Booleans, strings and data as properties and elements. Each type reads and writes its own kind of cell.

// MARK: Integers

extension FixedWidthInteger where Self: _PersistableValue & _PersistableInsideOptional {
  /// Stored as `.int`.
  public static var _valueType: _ValueType { _ValueType(.int) }
  /// Properties start with `0`.
  public static func _defaultValue() -> Self { 0 }
  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    Self(truncatingIfNeeded: cluster.int(column, slot: state.pointee.slot))
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setInt(Int64(truncatingIfNeeded: value), column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    if case .int(let value) = stored { return Self(truncatingIfNeeded: value) }
    return 0
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .int(Int64(truncatingIfNeeded: self)) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Self? {
    NumberLiteral(any)?.integer.flatMap { Self(exactly: $0) }
  }
}

extension Int: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, MinMaxType, AddableType,
  SortableType
{
  /// Stored as itself.
  public typealias PersistedType = Int
}
extension Int8: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, MinMaxType, AddableType,
  SortableType
{
  /// Stored as itself.
  public typealias PersistedType = Int8
}
extension Int16: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, MinMaxType, AddableType,
  SortableType
{
  /// Stored as itself.
  public typealias PersistedType = Int16
}
extension Int32: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, MinMaxType, AddableType,
  SortableType
{
  /// Stored as itself.
  public typealias PersistedType = Int32
}
extension Int64: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, MinMaxType, AddableType,
  SortableType
{
  /// Stored as itself.
  public typealias PersistedType = Int64
}

// MARK: Bool and floating point

extension Bool: _PersistableValue, _PersistableInsideOptional, _Indexable, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Bool
  /// Stored as `.bool`.
  public static var _valueType: _ValueType { _ValueType(.bool) }
  /// Properties start with `false`.
  public static func _defaultValue() -> Bool { false }
  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Bool {
    cluster.bool(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Bool, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setBool(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Bool { stored == .bool(true) }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .bool(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Bool? { NumberLiteral(any)?.boolean }
}

extension Double: _PersistableValue, _PersistableInsideOptional, MinMaxType, AddableType, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Double
  /// Stored as `.double`.
  public static var _valueType: _ValueType { _ValueType(.double) }
  /// Properties start with `0`.
  public static func _defaultValue() -> Double { 0 }
  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Double {
    cluster.double(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Double, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setDouble(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Double {
    if case .double(let value) = stored { return value }
    return 0
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .double(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Double? { NumberLiteral(any)?.double }
}

extension Float: _PersistableValue, _PersistableInsideOptional, MinMaxType, AddableType, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Float
  /// Stored as `.float`.
  public static var _valueType: _ValueType { _ValueType(.float) }
  /// Properties start with `0`.
  public static func _defaultValue() -> Float { 0 }
  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Float {
    cluster.float(column, slot: state.pointee.slot)
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Float, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setFloat(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Float {
    if case .float(let value) = stored { return value }
    return 0
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .float(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Float? { NumberLiteral(any)?.float }
}

// MARK: Text and bytes

extension String: _PersistableValue, _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  /// Stored as itself.
  public typealias PersistedType = String
  /// Stored as `.string`.
  public static var _valueType: _ValueType { _ValueType(.string) }
  /// Properties start with `""`.
  public static func _defaultValue() -> String { "" }
  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> String {
    do { return try cluster.string(column, slot: state.pointee.slot) } catch {
      state.noteFault(error)
      return ""
    }
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: String, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setString(value, column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> String {
    if case .string(let value) = stored { return value }
    return ""
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .string(self) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> String? { any as? String ?? (any as? Substring).map { String($0) } }
}

extension Data: _PersistableValue, _PersistableInsideOptional, SortableType {
  /// Stored as itself.
  public typealias PersistedType = Data
  /// Stored as `.data`.
  public static var _valueType: _ValueType { _ValueType(.data) }
  /// Properties start with `Data()`.
  public static func _defaultValue() -> Data { Data() }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Data {
    do { return try cluster.withBytes(column, slot: state.pointee.slot) { Data($0) } } catch {
      state.noteFault(error)
      return Data()
    }
  }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Data, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try writer.setData(Array(value), column, row: row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Data {
    if case .data(let value) = stored { return Data(value) }
    return Data()
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { .data(Array(self)) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Data? { any as? Data ?? (any as? [UInt8]).map { Data($0) } }
}
