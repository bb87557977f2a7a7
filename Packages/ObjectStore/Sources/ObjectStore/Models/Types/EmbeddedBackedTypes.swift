import DataModel
import Foundation
public import StorageEngine
import RecordStore

// Custom types that are stored as an embedded object. Every assignment creates a new object.

extension _CustomPersistable where PersistedType: EmbeddedObject {
  /// Whether the default of the stored type stands for a value.
  public static var _hasDefault: Bool { _fromPersisted(PersistedType()) != nil }
  /// The stored type.
  public static var _valueType: _ValueType {
    var type = _ValueType(.object, objectType: PersistedType.self)
    type.hasFallback = { _hasDefault }
    return type
  }

  /// The stored type of a property: an optional embedded object. A missing one reads as the value of an empty object.
  public static var _propertyType: _ValueType {
    _ValueType(.object, isOptional: true, objectType: PersistedType.self)
  }

  /// The value that properties start with.
  public static func _defaultValue() -> Self { valid(PersistedType()) }

  /// Reads a cell that is not null.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    let value = persisted(cluster, column, state) ?? PersistedType()
    return _fromPersisted(value) ?? fallback(for: value, column, state)
  }

  /// Reads a cell; nil for null, and for a stored value that stands for none.
  public static func _loadOptional(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self? {
    persisted(cluster, column, state).flatMap { _fromPersisted($0) }
  }

  private static func persisted(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> PersistedType? {
    cluster.link(column, slot: state.pointee.slot).rawValue < 0 ? nil : PersistedType._load(cluster, column, state)
  }

  /// Stops the program: the value is not stored as a plain cell.
  ///
  /// - Throws: never.
  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    violated("An embedded object is not stored as a plain cell.")
  }

  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    guard let value = PersistedType._decodedOptional(stored, view) else { return _defaultValue() }
    if let valid = _fromPersisted(value) { return valid }
    view.faults.note(noValue(value, of: "A collection"))
    return _defaultValue()
  }

  /// Decodes a stored value; nil for null, and for a stored value that stands for none.
  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    PersistedType._decodedOptional(stored, view).flatMap { _fromPersisted($0) }
  }

  /// Stops the program: an embedded object needs a parent.
  public func _encoded(_ view: RealmView) -> StoredValue {
    violated("A value of '\(Self.self)' is stored as an embedded object, which needs a parent.")
  }

  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Self? {
    any as? Self ?? PersistedType._converted(any).flatMap { _fromPersisted($0) }
  }

  /// Converts a literal: the inner nil for a value that stands for none, the outer nil for no literal of the type.
  public static func _convertedOptional(_ any: Any) -> Self?? {
    (any as? Self).map { .some($0) } ?? PersistedType._converted(any).map { _fromPersisted($0) }
  }

  /// Converts a literal; `NSNull` gives the default.
  public static func _convertedProperty(_ any: Any) -> Self? { any is NSNull ? _defaultValue() : _converted(any) }

  /// The embedded object as which the value is stored.
  public var _underlyingObject: ObjectBase? { _persistedValue }

  /// Sets a property.
  public static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int) {
    let (view, access) = object.prepareForWriting()
    view.setEmbedded(value._persistedValue, access.fields[number], object.state.pointee.row, access)
  }

  /// Writes the value of an unmanaged object into its new row.
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    let value = wrapper.pointee.value ?? _defaultValue()
    wrapper.pointee.value = nil
    promotion.writeEmbedded(value._persistedValue, promotion.access.fields[number])
  }

  /// Writes the optional value of an unmanaged object into its new row.
  public static func _promoteOptional(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self?>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    let value = wrapper.pointee.value ?? nil
    wrapper.pointee.value = nil
    promotion.writeEmbedded(value?._persistedValue, promotion.access.fields[number])
  }

  /// Nil: values of the type are no primary keys.
  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? { nil }

  /// Whether the stored values are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left._persistedValue.hasSameValues(as: right._persistedValue)
  }

  /// Hashes in accordance with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(PersistedType.className()) }
}

extension ObjectBase {
  /// Whether all properties of two objects of one class are equal; embedded objects by their own properties.
  func hasSameValues(as other: ObjectBase) -> Bool {
    if self === other { return true }
    guard type(of: self) == type(of: other) else { return false }
    return binding.properties.allSatisfy { property in
      property.access.propertyType.type == .linkingObjects || Self.isSame(self[property.name], other[property.name])
    }
  }

  private static func isSame(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (nil, nil): return true
    case (let left as EmbeddedObject, let right as EmbeddedObject): return left.hasSameValues(as: right)
    case (let left as any LiteralElements, let right as any LiteralElements):
      let (a, b) = (left.literalElements, right.literalElements)
      return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
    case (let left as any Hashable, let right as any Hashable): return AnyHashable(left) == AnyHashable(right)
    default: return false
    }
  }
}
