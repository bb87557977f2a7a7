import DataModel
import Foundation
import StorageEngine

extension Map {
  /// Sets the value of a key. An unmanaged object is added to the realm. A key with `.` or a leading `$` stops the
  /// program.
  public func updateValue(_ value: Value, forKey key: Key) {
    let key = key._mapKey
    rule(!key.contains("."), "Dictionary keys cannot contain '.': '\(key)'.")
    rule(!key.hasPrefix("$"), "Dictionary keys cannot begin with '$': '\(key)'.")
    guard let accessor else {
      unmanaged[key] = value
      return
    }
    accessor.prepareForWriting()
    guard accessor.holdsEmbedded, let source = accessor.embedded(value) else {
      return accessor.setEntry(accessor.encoded(value), for: key)
    }
    accessor.promote(source, accessor.createEmbedded(for: key), isNew: true)
  }

  /// Sets the values of several keys. `combine` decides the value of a key that has one already.
  ///
  /// - Throws: the error of `combine`; the keys before stay set.
  public func merge<S>(
    _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S: Sequence, S.Element == (key: Key, value: Value) {
    for (key, value) in sequence {
      updateValue(try self[key].map { try combine($0, value) } ?? value, forKey: key)
    }
  }

  /// Adds the entries of another map. `combine` decides the value of a key that has one already.
  ///
  /// - Throws: the error of `combine`; the keys before stay set.
  public func merge(
    _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
  }

  /// Removes the entry of a key, if there is one. An object stays in the realm; an embedded object is deleted.
  public func removeObject(for key: Key) {
    guard let accessor else {
      unmanaged[key._mapKey] = nil
      return
    }
    accessor.prepareForWriting()
    accessor.removeEntry(for: key._mapKey)
  }

  /// Removes all entries. Objects stay in the realm; embedded objects are deleted. O(*n*).
  public func removeAll() {
    guard let accessor else { return unmanaged.removeAll() }
    accessor.prepareForWriting()
    accessor.clear()
  }
}

extension Map: _HasPersistedType, _Persistable, _CollectionProperty {
  /// Stored as itself.
  public typealias PersistedType = Map<Key, Value>

  /// The stored type of a property.
  public static var _propertyType: _ValueType {
    var type = Value._valueType
    type.collection = .dictionary
    if type.type == .object { type.isOptional = true }
    return type
  }

  /// Access to the field of a live collection; nil while unmanaged.
  public var _accessor: CollectionAccessor? { accessor }
  /// Whether there are no elements.
  public var _isEmpty: Bool { isEmpty }
  /// A collection to follow key paths on, with one such object.
  public static func _tracing() -> Map {
    Map(KeyPathTracer.elements(Value.self).first.map { ["": $0] } ?? [String: Value]())
  }
  /// An unmanaged collection of the same elements.
  public func _copy() -> Map {
    Map(Dictionary(entries().map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Takes over the elements of an unmanaged collection.
  public func _replace(with other: Map) {
    removeAll()
    for (key, value) in other.unmanaged { updateValue(value, forKey: Key(_mapKey: key)) }
  }

  /// Takes over the elements of an unmanaged collection, and writes only the differences.
  public func _update(to other: Map) {
    guard let accessor else { return _replace(with: other) }
    let present = accessor.view.reading(or: []) { try accessor.entries(accessor.view.readView) }
    for (key, _) in present where other.unmanaged[key] == nil { accessor.removeEntry(for: key) }
    for (key, value) in other.unmanaged {
      let old = accessor.value(for: key)
      if accessor.holdsEmbedded {
        guard let source = accessor.embedded(value) else {
          if old != .null { updateValue(value, forKey: Key(_mapKey: key)) }
          continue
        }
        let child = accessor.embeddedRow(old)
        accessor.promote(source, child ?? accessor.createEmbedded(for: key), isNew: child == nil)
      } else {
        let new = accessor.encoded(value)
        if new != old { updateValue(value, forKey: Key(_mapKey: key)) }
      }
    }
  }

  /// Converts a literal; nil when it stands for no such value.
  public static func _convertedProperty(_ any: Any) -> Map? {
    if any is NSNull { return Map() }
    if let map = any as? Map, !ObjectCopies.areMade { return map._copy() }
    guard let entries = entriesOfLiteral(any) else { return nil }
    let converted = Map()
    for (key, element) in entries {
      guard let value = Value._converted(element) ?? valueOfNothing(element) else { return nil }
      converted.updateValue(value, forKey: Key(_mapKey: key))
    }
    return converted
  }

  /// The value for `NSNull` among values that are stored as objects; nil for any other.
  private static func valueOfNothing(_ any: Any) -> Value? {
    guard any is NSNull, Value._valueType.type == .object else { return nil }
    return (Value.self as? any _Persistable.Type)?._convertedProperty(any) as? Value
  }
}

extension Map: TracedCollection {
  var tracer: ObjectBase? { unmanaged.values.first?._underlyingObject }
}
