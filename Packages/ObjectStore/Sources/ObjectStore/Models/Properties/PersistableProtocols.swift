public import DataModel
public import StorageEngine
import RecordStore

// The protocols that constrain the types of properties, elements and keys. Their names are RealmSwift's; requirements
// that begin with an underscore are not for use by applications.

/// A type with a stored form.
public protocol _HasPersistedType {
  /// The stored type: the type itself for plain values.
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

/// The stored type of a value, without the name of a property.
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
  /// Whether there is a value to show in place of a stored one that stands for none.
  var hasFallback: () -> Bool = { true }

  /// A type of values.
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
  /// The stored type.
  static var _valueType: _ValueType { get }
  /// The value of a stored one.
  static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self
  /// The stored form; an unmanaged object is added to the realm.
  func _encoded(_ view: RealmView) -> StoredValue
  /// Converts a literal as `init(value:)` takes it; nil when it stands for no such value.
  static func _converted(_ any: Any) -> Self?
  /// The value of a stored element or entry, which may be a collection that is live where it lies.
  static func _decoded(_ stored: StoredValue, in accessor: CollectionAccessor, _ step: _CollectionStep) -> Self
  /// The object that the value is, or is stored as; nil for all other values.
  var _underlyingObject: ObjectBase? { get }
}

extension RealmCollectionValue {
  /// Decodes a stored element, which may be a live collection within another one.
  @inlinable public static func _decoded(
    _ stored: StoredValue, in accessor: CollectionAccessor, _ step: _CollectionStep
  ) -> Self { _decoded(stored, accessor._view) }
  /// Nil: the value is no object.
  public var _underlyingObject: ObjectBase? { nil }
}

/// A type that a property can have.
public protocol _Persistable: _HasPersistedType {
  /// The stored type of the property.
  static var _propertyType: _ValueType { get }
  /// Whether the object keeps the value, also while it is live: true for collections.
  static var _isStoredInObject: Bool { get }
  /// The value before any was assigned.
  static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self
  /// Whether the initial value is kept in the object; false for a frozen object, which several threads may read.
  static func _isKept(_ state: UnsafeMutablePointer<ObjectState>) -> Bool
  /// The value of a live object.
  static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self
  /// Sets the value of a live object.
  static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int)
  /// Writes the value of a wrapper into the row of an object that becomes live.
  static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
  /// The stored form of a wrapper's primary key; nil for a type that is no key.
  static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue?
  /// Converts a literal; nil when it stands for no such value.
  static func _convertedProperty(_ any: Any) -> Self?
}

/// A plain value: a property type that is also an element type.
public protocol _PersistableValue: RealmCollectionValue, _Persistable {
  /// The value of a property without a default of its own.
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
  /// Reads a cell that may be null, or whose stored value may stand for none.
  static func _loadOptional(_ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>) -> Self?
  /// The value of a stored one; nil for null, and for a stored value that stands for none.
  static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self?
  /// Converts a literal: the inner nil for a literal that stands for no value, as in ``_decodedOptional(_:_:)``, the
  /// outer nil for a literal of another type.
  static func _convertedOptional(_ any: Any) -> Self??
  /// Whether a cell is null.
  static func _isNull(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) -> Bool
  /// Writes a cell of the value's own column type.
  static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws
  /// Writes the optional value of a wrapper into the row of an object that becomes live.
  static func _promoteOptional(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion)
}

/// The type of inverse relationships, as ``Persisted`` constrains it.
public protocol LinkingObjectsProtocol {
  init(originProperty: String)
}

extension _PersistableInsideOptional where Self: _PersistableValue {
  /// Writes the optional value of an unmanaged object into its new row.
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
  /// Stops the program: a link has backlinks and is not stored as a plain cell.
  ///
  /// - Throws: never.
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    violated("A link is not stored as a plain cell.")
  }
}

extension _PersistableInsideOptional {
  /// Reads a cell; nil for null, and for a stored value that stands for none.
  @inlinable public static func _loadOptional(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self? {
    _isNull(cluster, column, state.pointee.slot) ? nil : _load(cluster, column, state)
  }

  /// Decodes a stored value; nil for null, and for a stored value that stands for none.
  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    if case .null = stored { return nil }
    if case .link(_, let row) = stored, row.rawValue < 0 { return nil }
    return _decoded(stored, view)
  }

  /// Converts a literal: the inner nil for a value that stands for none, the outer nil for no literal of the type.
  public static func _convertedOptional(_ any: Any) -> Self?? { _converted(any).map { .some($0) } }

  /// Whether a cell is null.
  @inlinable public static func _isNull(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) -> Bool {
    cluster.isNull(column, slot: slot)
  }
}

extension _Persistable {
  /// Nil: values of the type are no primary keys.
  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? { nil }
  /// Whether the initial value is kept in the object: in all but frozen objects.
  @inlinable public static func _isKept(_ state: UnsafeMutablePointer<ObjectState>) -> Bool {
    state.pointee.view == nil || !state.isFrozenObject
  }
}

extension _PersistableValue {
  /// The stored type of a property.
  public static var _propertyType: _ValueType { _valueType }
  /// Values are not kept in the object while it is live.
  @inlinable public static var _isStoredInObject: Bool { false }
  /// The value before any was assigned.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    _defaultValue()
  }
  /// Converts a literal; nil when it stands for no such value.
  public static func _convertedProperty(_ any: Any) -> Self? { _converted(any) }

  /// Reads a property of a live object.
  @inlinable public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    let cluster = state.currentCluster()
    guard let columns = state.pointee.columns else { return _defaultValue() }
    let column = columns[number]
    return cluster._withUnsafeGuaranteedRef { _load($0, column, state) }
  }

  /// Sets a property.
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

  /// Writes the value of an unmanaged object into its new row.
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

  /// The stored form of the primary key of an unmanaged object. A default becomes its value.
  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    let value = wrapper.pointee.value ?? _defaultValue()
    wrapper.pointee.value = value
    return value._encoded(view)
  }
}
