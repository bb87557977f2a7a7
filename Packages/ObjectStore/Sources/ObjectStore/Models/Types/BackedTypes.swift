public import StorageEngine
import RecordStore

// Types of applications that are stored as another type: enumerations as their raw value, custom types as a type of
// their choice.

/// A value that is stored as a value of another type.
public protocol _StoredAs: _PersistableValue, _PersistableInsideOptional {
  /// The value of a stored one; nil when it stands for none.
  static func _fromPersisted(_ value: PersistedType) -> Self?
  /// The stored value.
  var _persistedValue: PersistedType { get }
  /// Whether the default of what is stored stands for a value.
  static var _hasDefault: Bool { get }
}

/// An enumeration for properties and collections, stored as its raw value.
///
///     enum Species: String, PersistableEnum { case dog, cat }
///     @Persisted var species: Species        // .dog until set
///     @Persisted var guess: Species?
///
/// A stored raw value without a case reads as nil in an optional property. In any other it reads as the property's
/// default, and ``Realm/checkReads()`` and the next write transaction throw an error. Cases are ordered by their raw
/// values.
public protocol PersistableEnum: CaseIterable, RealmEnum, MinMaxType, Comparable where RawValue: Comparable {}

/// An enumeration of older models, in which every property declares its default.
///
///     enum Species: Int, RealmEnum { case dog = 1, cat }
///     @Persisted var species = Species.dog
///
/// The default of a ``PersistableEnum`` is its first case. The elements of a collection have no declared default for a
/// stored raw value without a case, so they are optional, of a ``PersistableEnum``, or of an enumeration with a case
/// for 0 or "".
public protocol RealmEnum: _StoredAs, RawRepresentable, RealmOptionalType
where RawValue: _PersistableValue & _PersistableInsideOptional, PersistedType == RawValue {}

extension RealmEnum {
  /// The value of a stored one; nil when it stands for none.
  public static func _fromPersisted(_ value: RawValue) -> Self? { Self(rawValue: value) }
  /// The stored value.
  public var _persistedValue: RawValue { rawValue }
  /// The value that properties start with.
  public static func _defaultValue() -> Self {
    guard let value = Self(rawValue: RawValue._defaultValue()) else {
      violated("A property of type '\(Self.self)' needs a value to start with, or the enum PersistableEnum.")
    }
    return value
  }
}

extension PersistableEnum {
  /// Orders by raw value.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  /// Whether the default of the stored type stands for a value.
  public static var _hasDefault: Bool { !allCases.isEmpty }
  /// The value that properties start with.
  public static func _defaultValue() -> Self {
    guard let first = allCases.first else { violated("Enum '\(Self.self)' has no cases.") }
    return first
  }
}

/// A custom type that is stored as another type.
public protocol _CustomPersistable: _StoredAs, _QueryLiteral {}

/// A type that is stored as a primitive value or as an embedded object, and that every stored value converts to.
///
///     struct Celsius: CustomPersistable {
///       typealias PersistedType = Double
///       var degrees: Double
///       init(persistedValue: Double) { degrees = persistedValue }
///       var persistableValue: Double { degrees }
///     }
///     @Persisted var temperature: Celsius
public protocol CustomPersistable: _CustomPersistable {
  /// The stored type; inferred from the two members below.
  associatedtype PersistedType
  init(persistedValue: PersistedType)
  /// The stored value.
  var persistableValue: PersistedType { get }
}

/// A type that is stored as a primitive value or as an embedded object, and that some stored values do not convert to.
///
/// A stored value that does not convert reads as nil in an optional property. In any other it reads as the property's
/// default, and ``Realm/checkReads()`` and the next write transaction throw an error.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// The stored type; inferred from the two members below.
  associatedtype PersistedType
  init?(persistedValue: PersistedType)
  /// The stored value.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable {
  /// The value of a stored one; nil when it stands for none.
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  /// The stored value.
  public var _persistedValue: PersistedType { persistableValue }
}

extension FailableCustomPersistable {
  /// The value of a stored one; nil when it stands for none.
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  /// The stored value.
  public var _persistedValue: PersistedType { persistableValue }
}

extension _CustomPersistable {
  /// Queries compare the stored value.
  public var _queryLiteral: Any? { _persistedValue }
}

// MARK: Stored as a plain value

extension _StoredAs {
  /// The value in place of a stored one that stands for none: the property's default. Notes an error.
  static func fallback(
    for value: PersistedType, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    guard let access = state.pointee.access?.takeUnretainedValue(),
      let number = access.fields.firstIndex(where: { $0.isStored && $0.column == column }), !access.isDynamic
    else { return _defaultValue() }
    access.view.faults.note(noValue(value, of: "\(access.name).\(access.fields[number].property.name)"))
    return access.binding.type.init().propertyValue(number) as? Self ?? _defaultValue()
  }

  static func noValue(_ value: PersistedType, of place: String) -> Realm.Error {
    Realm.Error(
      .invalidInput,
      "\(place) holds '\(value)', which stands for no \(Self.self). Add the case, make the property optional, or write another value."
    )
  }

  /// A default. A stored default that stands for no value stops the program.
  static func valid(_ value: PersistedType) -> Self {
    guard let valid = _fromPersisted(value) else {
      violated(
        "Failed to default construct a \(Self.self) using the default value for persisted type \(PersistedType.self). This conversion must either succeed, the property must be optional, or you must explicitly specify a default value for the property."
      )
    }
    return valid
  }
}

extension _StoredAs where PersistedType: _PersistableValue & _PersistableInsideOptional {
  /// Whether the default of the stored type stands for a value.
  public static var _hasDefault: Bool { _fromPersisted(PersistedType._defaultValue()) != nil }
  /// The stored type.
  public static var _valueType: _ValueType {
    var type = PersistedType._valueType
    type.hasFallback = { _hasDefault }
    return type
  }
  /// The value that properties start with.
  public static func _defaultValue() -> Self { valid(PersistedType._defaultValue()) }
  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    let value = PersistedType._load(cluster, column, state)
    return _fromPersisted(value) ?? fallback(for: value, column, state)
  }
  /// Reads a cell; nil for null, and for a stored value that stands for none.
  public static func _loadOptional(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self? { PersistedType._loadOptional(cluster, column, state).flatMap { _fromPersisted($0) } }
  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try PersistedType._store(value._persistedValue, writer, column, row)
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    let value = PersistedType._decoded(stored, view)
    if let valid = _fromPersisted(value) { return valid }
    view.faults.note(noValue(value, of: "A collection"))
    return _defaultValue()
  }
  /// Decodes a stored value; nil for null, and for a stored value that stands for none.
  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    PersistedType._decodedOptional(stored, view).flatMap { _fromPersisted($0) }
  }
  /// The stored form.
  public func _encoded(_ view: RealmView) -> StoredValue { _persistedValue._encoded(view) }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Self? {
    any as? Self ?? PersistedType._converted(any).flatMap { _fromPersisted($0) }
  }
  /// Converts a literal: the inner nil for a value that stands for none, the outer nil for no literal of the type.
  public static func _convertedOptional(_ any: Any) -> Self?? {
    (any as? Self).map { .some($0) } ?? PersistedType._converted(any).map { _fromPersisted($0) }
  }
}

extension _CustomPersistable where PersistedType: _PersistableValue & _PersistableInsideOptional {
  /// Whether the stored values are equal.
  public static func == (left: Self, right: Self) -> Bool { left._persistedValue == right._persistedValue }
  /// Hashes in accordance with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(_persistedValue) }
}
