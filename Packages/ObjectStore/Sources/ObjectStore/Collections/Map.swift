import DataModel
import StorageEngine
import RecordStore

/// A type that a ``Map`` can have as keys: `String`.
public protocol _MapKey: Hashable {
  init(_mapKey: String)
  /// The key as it is stored.
  var _mapKey: String { get }
}

extension String: _MapKey {
  public init(_mapKey: String) { self = _mapKey }
  public var _mapKey: String { self }
}

/// What is common to collections that find values by keys.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
  /// How many entries there are.
  var count: Int { get }
  /// The keys, in the order of ``values``.
  var keys: [Key] { get }
  /// The values, in the order of ``keys``.
  var values: [Value] { get }
  /// The value of a key; setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
}

/// Values by keys, as a property holds them.
///
///     @Persisted var seats: Map<String, Person?>
///     try realm.write { room.seats["A1"] = ada }
///
/// Unmanaged it is an ordinary dictionary in memory; managed it is live, and changes need a write transaction. Values
/// that are objects must be declared optional: deleting the object leaves the key, with nil. Keys cannot contain `.` or
/// begin with `$`.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection, _Aggregable, DepthDescribed {
  public typealias Element = SingleMapEntry<Key, Value>

  var unmanaged: [String: Value] = [:]
  private var storage = ManagedStorage()
  var accessor: CollectionAccessor? { storage.accessor }

  /// An empty, unmanaged map.
  public init() {}

  public init(_ accessor: CollectionAccessor) { storage = ManagedStorage(accessor) }

  init(_ entries: [String: Value]) { unmanaged = entries }

  /// Lets the map be the live one of a property.
  public func _attach(_ accessor: CollectionAccessor) {
    storage = ManagedStorage(accessor)
    unmanaged = [:]
  }

  /// The values as a live collection; nil while unmanaged.
  public var _source: ResultsSource? { storage.source(of: Value.self) }

  // MARK: State

  public var realm: Realm? { accessor.map { Realm($0.view) } }
  public var isInvalidated: Bool { accessor.map { !$0.isValid } ?? false }
  public var isFrozen: Bool { accessor?.view.isFrozen ?? false }

  public func freeze() -> Map {
    guard let accessor else { violated("Unmanaged Maps cannot be frozen.") }
    guard !accessor.view.isFrozen else { return self }
    return Map(accessor.view.freezing { accessor.moved(to: $0) })
  }

  public func thaw() -> Map? {
    guard let accessor else { violated("Unmanaged Maps cannot be thawed.") }
    guard accessor.view.isFrozen else { return self }
    return accessor.moved(to: accessor.view.thawed()).map { Map($0) }
  }

  // MARK: Reading

  public var count: Int { accessor?.count ?? unmanaged.count }
  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// Keys and stored or plain values, in one order.
  func entries() -> [(key: String, value: Value)] {
    guard let accessor else { return unmanaged.map { ($0.key, $0.value) } }
    accessor.check()
    return accessor.view.reading(or: []) {
      try accessor.entries(accessor.view.readView).map {
        ($0.key, Value._decoded($0.value, in: accessor, .key($0.key)))
      }
    }
  }

  public var keys: [Key] {
    guard let accessor else { return unmanaged.keys.map { Key(_mapKey: $0) } }
    accessor.check()
    return accessor.view.reading(or: []) { try accessor.entries(accessor.view.readView).map { Key(_mapKey: $0.key) } }
  }

  public var values: [Value] { entries().map(\.value) }

  /// The value of a key, nil when there is none. Setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get {
      guard let accessor else { return unmanaged[key._mapKey] }
      return accessor.value(for: key._mapKey).map { Value._decoded($0, in: accessor, .key(key._mapKey)) }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value of a key, nil when there is none.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Whether a condition holds for some entry.
  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    entries().contains { predicate(Key(_mapKey: $0.key), $0.value) }
  }

  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(entries().map { SingleMapEntry(key: Key(_mapKey: $0.key), value: $0.value) })
  }

  /// The entries as pairs.
  public func asKeyValueSequence() -> KeyValueSequence<Key, Value> {
    KeyValueSequence(entries().map { (key: Key(_mapKey: $0.key), value: $0.value) })
  }

  /// The value of a key, or of all values' property when they are objects: `"@count"`, `"@allKeys"`, or a key.
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

  /// Sets the value of a key from a literal; nil removes the entry.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(for: Key(_mapKey: key)) }
    guard let converted = Value._converted(value) else { violated("Invalid value '\(value)' for key '\(key)'.") }
    updateValue(converted, forKey: Key(_mapKey: key))
  }

  public var description: String { describe(depth: 0) }

  func describe(depth: Int) -> String {
    let lines = entries().prefix(100).map { entry in
      "\t[\(entry.key)]: \(ObjectStore.describe(value: entry.value._underlyingObject ?? entry.value, depth: depth + 1))"
    }
    let name = Value._valueType.objectType?.className() ?? Value._valueType.type.text
    return "Map<string, \(name)> (\n\(lines.joined(separator: ",\n"))\n)"
  }

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
  public var key: Key
  public var value: Value

  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

/// A position in a keyed collection.
public struct MapIndex: Hashable, Sendable {
  public var offset: UInt
  public init(offset: UInt) { self.offset = offset }
}

/// Walks over the entries that a map had when the walk began.
public struct RLMMapIterator<Element>: IteratorProtocol {
  private var rest: ArraySlice<Element>
  init(_ entries: [Element]) { rest = entries[...] }
  public mutating func next() -> Element? { rest.popFirst() }
}

/// The entries of a map as pairs.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
  private let entries: [(key: Key, value: Value)]
  init(_ entries: [(key: Key, value: Value)]) { self.entries = entries }
  public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(entries) }
}

/// Walks over pairs of keys and values.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var rest: ArraySlice<(key: Key, value: Value)>
  init(_ entries: [(key: Key, value: Value)]) { rest = entries[...] }
  public mutating func next() -> (key: Key, value: Value)? { rest.popFirst() }
}
