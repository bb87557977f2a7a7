public import StorageEngine
import RecordStore

// Types of applications that are stored as another type: enums as their raw value, custom types as what they say.

/// A value that is stored as a value of another type.
public protocol _StoredAs: _PersistableValue, _PersistableInsideOptional {
  /// The value of a stored one; nil when it stands for none.
  static func _fromPersisted(_ value: PersistedType) -> Self?
  /// What is stored.
  var _persistedValue: PersistedType { get }
  /// Whether the default of what is stored stands for a value.
  static var _hasDefault: Bool { get }
}

/// An enum that properties and collections can hold; stored as its raw value.
///
///     enum Species: String, PersistableEnum { case dog, cat }
///     @Persisted var species: Species        // .dog until set
///     @Persisted var guess: Species?
///
/// A stored raw value that is no case reads as nil where the property is optional, and as the value that the property
/// starts with where not; ``Realm/checkReads()`` and the next write transaction throw that then.
/// Cases are ordered by their raw values.
public protocol PersistableEnum: CaseIterable, RealmEnum, MinMaxType, Comparable where RawValue: Comparable {}

/// An enum of older models, where every property says which case it starts with.
///
///     enum Species: Int, RealmEnum { case dog = 1, cat }
///     @Persisted var species = Species.dog
///
/// ``PersistableEnum`` starts with its first case by itself. A collection starts with nothing and shows a stored raw value
/// that is no case all the same, so its elements are optional, or of a ``PersistableEnum``, or of an enum with a case for
/// the raw value 0 or "".
public protocol RealmEnum: _StoredAs, RawRepresentable, RealmOptionalType
where RawValue: _PersistableValue & _PersistableInsideOptional, PersistedType == RawValue {}

extension RealmEnum {
  public static func _fromPersisted(_ value: RawValue) -> Self? { Self(rawValue: value) }
  public var _persistedValue: RawValue { rawValue }
  public static func _defaultValue() -> Self {
    guard let value = Self(rawValue: RawValue._defaultValue()) else {
      violated("A property of type '\(Self.self)' needs a value to start with, or the enum PersistableEnum.")
    }
    return value
  }
}

extension PersistableEnum {
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  public static var _hasDefault: Bool { !allCases.isEmpty }
  public static func _defaultValue() -> Self {
    guard let first = allCases.first else { violated("Enum '\(Self.self)' has no cases.") }
    return first
  }
}

/// A type that is stored as another one, whatever either is.
public protocol _CustomPersistable: _StoredAs, _QueryLiteral {}

/// A type that is stored as a primitive value or as an embedded object, into which every value can be turned and from
/// which every value can be made.
///
///     struct Celsius: CustomPersistable {
///       typealias PersistedType = Double
///       var degrees: Double
///       init(persistedValue: Double) { degrees = persistedValue }
///       var persistableValue: Double { degrees }
///     }
///     @Persisted var temperature: Celsius
public protocol CustomPersistable: _CustomPersistable {
  /// What is stored; need not be named where the two members below name it.
  associatedtype PersistedType
  init(persistedValue: PersistedType)
  /// What is stored.
  var persistableValue: PersistedType { get }
}

/// A type that is stored as a primitive value or as an embedded object, not all of which stand for a value.
///
/// What stands for none reads as nil where the property is optional, and as the value that the property starts with where
/// not; ``Realm/checkReads()`` and the next write transaction throw that then.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// What is stored; need not be named where the two members below name it.
  associatedtype PersistedType
  init?(persistedValue: PersistedType)
  /// What is stored.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable {
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  public var _persistedValue: PersistedType { persistableValue }
}

extension FailableCustomPersistable {
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  public var _persistedValue: PersistedType { persistableValue }
}

extension _CustomPersistable {
  /// Queries compare what is stored.
  public var _queryLiteral: Any? { _persistedValue }
}

// MARK: Stored as a plain value

extension _StoredAs {
  /// The value that a property shows whose stored value stands for none: what it starts with.
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

  /// What a property starts with.
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
  public static var _hasDefault: Bool { _fromPersisted(PersistedType._defaultValue()) != nil }
  public static var _valueType: _ValueType {
    var type = PersistedType._valueType
    type.hasFallback = { _hasDefault }
    return type
  }
  public static func _defaultValue() -> Self { valid(PersistedType._defaultValue()) }
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    let value = PersistedType._load(cluster, column, state)
    return _fromPersisted(value) ?? fallback(for: value, column, state)
  }
  public static func _loadOptional(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self? { PersistedType._loadOptional(cluster, column, state).flatMap { _fromPersisted($0) } }
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    try PersistedType._store(value._persistedValue, writer, column, row)
  }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    let value = PersistedType._decoded(stored, view)
    if let valid = _fromPersisted(value) { return valid }
    view.faults.note(noValue(value, of: "A collection"))
    return _defaultValue()
  }
  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    PersistedType._decodedOptional(stored, view).flatMap { _fromPersisted($0) }
  }
  public func _encoded(_ view: RealmView) -> StoredValue { _persistedValue._encoded(view) }
  public static func _converted(_ any: Any) -> Self? {
    any as? Self ?? PersistedType._converted(any).flatMap { _fromPersisted($0) }
  }
  public static func _convertedOptional(_ any: Any) -> Self?? {
    (any as? Self).map { .some($0) } ?? PersistedType._converted(any).map { _fromPersisted($0) }
  }
}

extension _CustomPersistable where PersistedType: _PersistableValue & _PersistableInsideOptional {
  public static func == (left: Self, right: Self) -> Bool { left._persistedValue == right._persistedValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(_persistedValue) }
}
