import DataModel
import Foundation
import StorageEngine
import RecordStore

/// A type of keys of a ``Map``: `String`.
public protocol _MapKey: Hashable {
  init(_mapKey: String)
  /// The key as it is stored.
  var _mapKey: String { get }
}

extension String: _MapKey {
  /// A key from its stored form.
  public init(_mapKey: String) { self = _mapKey }
  /// The key as it is stored.
  public var _mapKey: String { self }
}

/// A collection that finds values by keys.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue
  /// The number of entries.
  var count: Int { get }
  /// The keys, in the order of ``values``.
  var keys: [Key] { get }
  /// The values, in the order of ``keys``.
  var values: [Value] { get }
  /// The value of a key; setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
}

/// Values by string keys, as a property.
///
///     @Persisted var seats: Map<String, Person?>
///     try realm.write { room.seats["A1"] = ada }
///
/// An unmanaged map is a dictionary in memory. A live map shows the present state of its object's row, and changes need
/// a write transaction on its realm's thread, queue or actor. Objects as values are declared optional: deleting the
/// object leaves the key, with nil. Keys cannot contain `.` or begin with `$`.
///
/// - Complexity: reading the value of a key in a live map is O(log *n*).
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection, _Aggregable {
  /// An entry.
  public typealias Element = SingleMapEntry<Key, Value>

  var unmanaged: [String: Value] = [:]
  private var storage = ManagedStorage()
  var accessor: CollectionAccessor? { storage.accessor }

  /// An empty, unmanaged map.
  public init() {}

  /// The live map of a field.
  public init(_ accessor: CollectionAccessor) { storage = ManagedStorage(accessor) }

  init(_ entries: [String: Value]) { unmanaged = entries }

  /// Makes the map the live map of a field.
  public func _attach(_ accessor: CollectionAccessor) {
    storage = ManagedStorage(accessor)
    unmanaged = [:]
  }

  /// The values as a live collection; nil while unmanaged.
  public var _source: ResultsSource? { storage.source(of: Value.self) }

  // MARK: State

  /// The realm; nil while unmanaged.
  public var realm: Realm? { accessor.map { Realm($0.view) } }
  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { accessor.map { !$0.isValid } ?? false }
  /// Whether this is a frozen copy.
  public var isFrozen: Bool { accessor?.view.isFrozen ?? false }

  /// A copy that never changes and may be read from any thread. Unmanaged, the program stops.
  public func freeze() -> Map {
    guard let accessor else {
      violated("This method may only be called on RLMDictionary instances retrieved from an RLMRealm")
    }
    guard !accessor.view.isFrozen else { return self }
    accessor.view.checkConfinement()
    return Map(accessor.view.freezing { accessor.moved(to: $0) })
  }

  /// The live form on the calling thread; nil when it was deleted since.
  public func thaw() -> Map? {
    guard let accessor else { violated("Unmanaged Maps cannot be thawed.") }
    guard accessor.view.isFrozen else { return self }
    return accessor.moved(to: accessor.view.thawed()).map { Map($0) }
  }

  // MARK: Reading

  /// The number of entries.
  public var count: Int { accessor?.count ?? unmanaged.count }
  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// The entries; of a live map in ascending order of their keys' UTF-8.
  func entries() -> [(key: String, value: Value)] {
    guard let accessor else { return unmanaged.map { ($0.key, $0.value) } }
    accessor.check()
    return accessor.view.reading(or: []) {
      try accessor.entries(accessor.view.readView).map {
        ($0.key, Value._decoded($0.value, in: accessor, .key($0.key)))
      }
    }
  }

  /// The keys, in the order of ``values``. O(*n*).
  public var keys: [Key] {
    guard let accessor else { return unmanaged.keys.map { Key(_mapKey: $0) } }
    accessor.check()
    return accessor.view.reading(or: []) { try accessor.entries(accessor.view.readView).map { Key(_mapKey: $0.key) } }
  }

  /// The values, in the order of ``keys``. O(*n*).
  public var values: [Value] { entries().map(\.value) }

  /// The value of a key; nil when there is none. Setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get {
      guard let accessor else { return unmanaged[key._mapKey] }
      return accessor.value(for: key._mapKey).map { Value._decoded($0, in: accessor, .key(key._mapKey)) }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value of a key; nil when there is none.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// The value of a key of any type that stands for a string; nil for every other key, and when there is none.
  public func object(forKey key: AnyObject) -> AnyObject? {
    guard let key = key as? String, let value: Any = self[Key(_mapKey: key)] else { return nil }
    if let optional = value as? any AnyOptional { return (optional.unwrapped ?? NSNull()) as AnyObject }
    return value as AnyObject
  }

  /// Whether a condition holds for an entry. O(*n*).
  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    entries().contains { predicate(Key(_mapKey: $0.key), $0.value) }
  }

  /// An iterator over the present entries, which later changes do not affect.
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(entries().map { SingleMapEntry(key: Key(_mapKey: $0.key), value: $0.value) })
  }

  /// The entries as pairs.
  public func asKeyValueSequence() -> KeyValueSequence<Key, Value> {
    KeyValueSequence(entries().map { (key: Key(_mapKey: $0.key), value: $0.value) })
  }

  /// The value of a key; `"@count"`, `"@allKeys"` and `"@allValues"` give the number of entries, the keys, and the
  /// values.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "@count": return count
    case "@allKeys": return keys
    case "@allValues": return values
    default:
      let value: Any? = self[Key(_mapKey: key)]
      return (value as? any AnyOptional).map { $0.unwrapped } ?? value
    }
  }

  /// Sets the value of a key from a literal; nil removes the entry. A literal of another type stops the program.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(for: Key(_mapKey: key)) }
    guard let converted = Value._converted(value) else { violated("Invalid value '\(value)' for key '\(key)'.") }
    updateValue(converted, forKey: Key(_mapKey: key))
  }

  /// The entries, for people. At most 100 are listed.
  public var description: String { describe(depth: descriptionDepth) }

  /// Whether both are the same property of the same object, or unmanaged maps of equal entries.
  public static func == (left: Map, right: Map) -> Bool {
    switch (left.accessor, right.accessor) {
    case (let a?, let b?): a.isSame(as: b)
    case (nil, nil): left === right || left.unmanaged == right.unmanaged
    default: false
    }
  }
}

/// One entry of a ``Map``.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  /// The key.
  public var key: Key
  /// The value.
  public var value: Value

  /// An entry.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

/// A position in a keyed collection.
public struct MapIndex: Hashable, Sendable {
  /// The number of entries before the position.
  public var offset: UInt
  /// A position.
  public init(offset: UInt) { self.offset = offset }
}

/// Iterates over the entries that a map had when the iterator was made.
public struct RLMMapIterator<Element>: IteratorProtocol {
  private var rest: ArraySlice<Element>
  init(_ entries: [Element]) { rest = entries[...] }
  /// The next entry; nil at the end.
  public mutating func next() -> Element? { rest.popFirst() }
}

/// The entries of a map as pairs.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
  private let entries: [(key: Key, value: Value)]
  init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  /// An iterator over the pairs.
  public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(entries) }
}

/// Iterates over pairs of keys and values.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var rest: ArraySlice<(key: Key, value: Value)>
  init(_ entries: [(key: Key, value: Value)]) { rest = entries[...] }
  /// The next pair; nil at the end.
  public mutating func next() -> (key: Key, value: Value)? { rest.popFirst() }
}
