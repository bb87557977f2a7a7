import DataModel
import Foundation
public import StorageEngine
import RecordStore

// Custom types that are stored as an embedded object: every assignment makes a new one.

extension _CustomPersistable where PersistedType: EmbeddedObject {
  public static var _hasDefault: Bool { _fromPersisted(PersistedType()) != nil }
  public static var _valueType: _ValueType {
    var type = _ValueType(.object, objectType: PersistedType.self)
    type.hasFallback = { _hasDefault }
    return type
  }

  /// A single embedded object may always be missing; it reads as what an empty one stands for.
  public static var _propertyType: _ValueType {
    _ValueType(.object, isOptional: true, objectType: PersistedType.self)
  }

  public static func _defaultValue() -> Self { valid(PersistedType()) }

  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    let value = persisted(cluster, column, state) ?? PersistedType()
    return _fromPersisted(value) ?? fallback(for: value, column, state)
  }

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

  public static func _store(_ value: Self, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    violated("An embedded object is not stored as a plain cell.")
  }

  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    guard let value = PersistedType._decodedOptional(stored, view) else { return _defaultValue() }
    if let valid = _fromPersisted(value) { return valid }
    view.faults.note(noValue(value, of: "A collection"))
    return _defaultValue()
  }

  public static func _decodedOptional(_ stored: StoredValue, _ view: RealmView) -> Self? {
    PersistedType._decodedOptional(stored, view).flatMap { _fromPersisted($0) }
  }

  public func _encoded(_ view: RealmView) -> StoredValue {
    violated("A value of '\(Self.self)' is stored as an embedded object, which needs a parent.")
  }

  public static func _converted(_ any: Any) -> Self? {
    any as? Self ?? PersistedType._converted(any).flatMap { _fromPersisted($0) }
  }

  public static func _convertedOptional(_ any: Any) -> Self?? {
    (any as? Self).map { .some($0) } ?? PersistedType._converted(any).map { _fromPersisted($0) }
  }

  /// Nothing stands for the value that properties start with.
  public static func _convertedProperty(_ any: Any) -> Self? { any is NSNull ? _defaultValue() : _converted(any) }

  public var _underlyingObject: ObjectBase? { _persistedValue }

  public static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int) {
    let (view, access) = object.prepareForWriting()
    view.setEmbedded(value._persistedValue, access.fields[number], object.state.pointee.row, access)
  }

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

  public static func _keyOfWrapper(_ memory: UnsafeMutableRawPointer, _ view: RealmView) -> StoredValue? { nil }

  public static func == (left: Self, right: Self) -> Bool {
    left._persistedValue.hasSameValues(as: right._persistedValue)
  }

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
