public import DataModel
public import StorageEngine
import RecordStore

// The protocols that constrain what a property, an element or a key may be. Their names and markers are RealmSwift's;
// their requirements are the store's own and not for use by applications.

/// A type with a stored form.
public protocol _HasPersistedType {
  /// What is stored: the type itself for plain values.
  associatedtype PersistedType
}

/// Marks stored types that may be indexed.
public protocol _Indexable {}
/// Marks stored types that may be primary keys.
public protocol _PrimaryKey {}
/// Marks stored types that have a least and a greatest value.
public protocol MinMaxType {}
/// Marks stored types that can be summed and averaged.
public protocol AddableType {}
/// Marks stored types that can be sorted by.
public protocol SortableType {}

/// What a value is, without the name of a property.
public struct _ValueType {
  /// The type of the value.
  public var type: PropertyType
  /// Whether it may be nil.
  public var isOptional: Bool
  /// Whether it is one value or many.
  public var collection: CollectionKind
  /// The class linked to.
  public var objectType: ObjectBase.Type?
  /// The property at the other end of an inverse relationship.
  public var originProperty: String?
  /// Whether there is a value to show where a stored one stands for none.
  var hasFallback: () -> Bool = { true }

  public init(
    _ type: PropertyType, isOptional: Bool = false, collection: CollectionKind = .single,
    objectType: ObjectBase.Type? = nil, originProperty: String? = nil
  ) {
    self.type = type
    self.isOptional = isOptional
    self.collection = collection
    self.objectType = objectType
    self.originProperty = originProperty
  }
}

/// A type that can be an element of a collection of a realm.
public protocol RealmCollectionValue: Hashable, _HasPersistedType {
  /// What the value is.
  static var _valueType: _ValueType { get }
  /// The value of a stored one.
  static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self
  /// The stored form; an unmanaged object is added to the realm.
  func _encoded(_ view: RealmView) -> StoredValue
  /// The value that a literal stands for, as `init(value:)` takes them; nil when it stands for none.
  static func _converted(_ any: Any) -> Self?
  /// The value of a stored element or entry, which may be a collection that is live where it lies.
  static func _decoded(_ stored: StoredValue, in accessor: CollectionAccessor, _ step: _CollectionStep) -> Self
  /// The object that the value is, or is stored as; nil for all other values.
  var _underlyingObject: ObjectBase? { get }
}

extension RealmCollectionValue {
  @inlinable public static func _decoded(
    _ stored: StoredValue, in accessor: CollectionAccessor, _ step: _CollectionStep
  ) -> Self { _decoded(stored, accessor._view) }
  public var _underlyingObject: ObjectBase? { nil }
}

/// A type that a property can have.
public protocol _Persistable: _HasPersistedType {
  /// What the property is.
  static var _propertyType: _ValueType { get }
  /// Whether the object holds the one instance there is, managed or not: collections.
  static var _isStoredInObject: Bool { get }
  /// The value before any was assigned.
  static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self
  /// Whether the initial value is kept by the object. Not by a frozen one, which several threads may read.
  static func _isKept(_ state: UnsafeMutablePointer<ObjectState>) -> Bool
  /// The value of a live object.
  static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self
  /// Sets the value of a live object.
  static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int)
  /// Writes the value that lies in a wrapper of an object that becomes managed.
  static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
  /// The stored form of the primary key that lies in a wrapper; nil when the type is none of a key.
  static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue?
  /// The value that a literal stands for.
  static func _convertedProperty(_ any: Any) -> Self?
}

/// A plain value: a property type that is also an element type.
public protocol _PersistableValue: RealmCollectionValue, _Persistable {
  /// The value that a property has when nothing else is said.
  static func _defaultValue() -> Self
  /// Reads a cell that is not null.
  static func _load(_ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>) -> Self
  /// Writes a cell of the value's own column type.
  static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws
}

/// A type that may stand in an optional.
public protocol _PersistableInsideOptional: RealmCollectionValue {
  /// Reads a cell that is not null.
  static func _load(_ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>) -> Self
  /// Reads a cell that may be null, or hold what is no value of the type.
  static func _loadOptional(_ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>) -> Self?
  /// The value of a stored one; nil for null and for what is no value of the type.
  static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self?
  /// The value that a literal stands for; the inner nil for what is no value of the type, as ``_decodedOptional(_:_:)``
  /// reads it, and the outer one for what is no literal of it.
  static func _convertedOptional(_ any: Any) -> Self??
  /// Whether a cell is null.
  static func _isNull(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) -> Bool
  /// Writes a cell of the value's own column type.
  static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws
  /// Writes the optional that lies in a wrapper of an object that becomes managed.
  static func _promoteOptional(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
}

/// What ``Persisted`` needs to know of inverse relationships.
public protocol LinkingObjectsProtocol {
  init(originProperty: String)
}

extension _PersistableInsideOptional where Self: _PersistableValue {
  public static func _promoteOptional(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self?>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    let value = wrapper.pointee.value ?? nil
    if let cell = promotion.newCell(number) {
      // A new cell is null already.
      if let value {
        cell.writer._withUnsafeGuaranteedRef { writer in
          promotion.writing { try _store(value, writer, cell.column, promotion.row) }
        }
      }
    } else {
      promotion.write(value?._encoded(promotion.view) ?? .null, promotion.access.fields[number])
    }
    wrapper.pointee.value = nil
  }
}

extension _PersistableInsideOptional where Self: ObjectBase {
  /// Links are never written as plain cells: they have backlinks.
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    violated("A link is not stored as a plain cell.")
  }
}

extension _PersistableInsideOptional {
  @inlinable public static func _loadOptional(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self? {
    _isNull(cluster, column, state.pointee.slot) ? nil : _load(cluster, column, state)
  }

  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    if case .null = stored { return nil }
    if case .link(_, let row) = stored, row.rawValue < 0 { return nil }
    return _decoded(stored, view)
  }

  public static func _convertedOptional(_ any: Any) -> Self?? { _converted(any).map { .some($0) } }

  @inlinable public static func _isNull(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) -> Bool {
    cluster.isNull(column, slot: slot)
  }
}

extension _Persistable {
  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? { nil }
  @inlinable public static func _isKept(_ state: UnsafeMutablePointer<ObjectState>) -> Bool {
    state.pointee.view == nil || !state.isFrozenObject
  }
}

extension _PersistableValue {
  public static var _propertyType: _ValueType { _valueType }
  @inlinable public static var _isStoredInObject: Bool { false }
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    _defaultValue()
  }
  public static func _convertedProperty(_ any: Any) -> Self? { _converted(any) }

  @inlinable public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    let cluster = state.currentCluster()
    guard let columns = state.pointee.columns else { return _defaultValue() }
    let column = columns[number]
    return cluster._withUnsafeGuaranteedRef { _load($0, column, state) }
  }

  public static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int) {
    let state = object.state
    if let cell = state.plainCell(number) {
      cell.writer._withUnsafeGuaranteedRef { writer in
        object.writing { try _store(value, writer, cell.column, state.pointee.row) }
        state.notePlainWrite(writer)
      }
      return
    }
    let (view, access) = object.prepareForWriting()
    let field = access.fields[number]
    if field.isPlain, let writer = view.plainWriter(access) {
      view.writing { try _store(value, writer, field.column, object.state.pointee.row) }
      view.wrote()
    } else {
      view.set(value._encoded(view), field, object.state.pointee.row, access)
    }
  }

  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    let value = wrapper.pointee.value ?? _defaultValue()
    if let cell = promotion.newCell(number) {
      cell.writer._withUnsafeGuaranteedRef { writer in
        promotion.writing { try _store(value, writer, cell.column, promotion.row) }
      }
    } else if !promotion.isNew || number != promotion.access.fastPath.pointee.keyNumber {
      promotion.write(value._encoded(promotion.view), promotion.access.fields[number])
    }
    // The row has the value now.
    wrapper.pointee.value = nil
  }

  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    let value = wrapper.pointee.value ?? _defaultValue()
    wrapper.pointee.value = value
    return value._encoded(view)
  }
}
