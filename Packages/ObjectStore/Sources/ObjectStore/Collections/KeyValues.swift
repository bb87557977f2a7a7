import DataModel
public import Foundation
import RecordStore

// Key-value coding: access to properties of elements by names and operators.

extension RealmCollection {
  /// The elements at several positions. A position outside stops the program.
  public func objects(at indexes: IndexSet) -> [Element] {
    let count = self.count
    rule((indexes.last ?? -1) < count, "Indexes for collection are out of bounds.")
    return indexes.map { self[$0] }
  }

  /// A property of every element, as an array, or of a set as a `Set`; `"self"` gives the elements, `"@count"` their
  /// number.
  public func value(forKey key: String) -> Any? { keyValues(of: self, key) }

  /// The value at the end of dot-joined names of every element, or an operator over them: `"@count"`, `"@sum.age"`,
  /// `"@min.age"`, `"@max.age"`, `"@avg.age"`, `"@unionOfObjects.name"`, `"@distinctUnionOfObjects.name"`,
  /// `"@unionOfArrays.tags"`, `"@distinctUnionOfArrays.tags"`.
  public func value(forKeyPath keyPath: String) -> Any? { keyValues(of: self, keyPath) }

  /// Sets a property of every element. Needs a write transaction for live elements.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { element._underlyingObject?.setValue(value, forKey: key) }
  }
}

/// The values of `value(forKeyPath:)` for a collection.
func keyValues<C: RealmCollection>(of collection: C, _ path: String) -> Any? {
  let operation = path.split(separator: ".", maxSplits: 1).map(String.init)
  if path.hasPrefix("@"), let name = operation.first {
    let property = operation.count > 1 ? operation[1] : "self"
    switch name {
    case "@count": return collection.count
    case "@min": return collection.keyValue(.min, property)
    case "@max": return collection.keyValue(.max, property)
    case "@sum": return collection.keyValue(.sum, property)
    case "@avg": return collection.keyValue(.average, property)
    case "@unionOfObjects": return values(of: collection, property)
    case "@distinctUnionOfObjects": return unique(values(of: collection, property))
    case "@unionOfArrays": return values(of: collection, property).flatMap(elements)
    case "@distinctUnionOfArrays": return unique(values(of: collection, property).flatMap(elements))
    default: violated("'\(name)' is no operator of key paths.")
    }
  }
  let found = elementValues(of: collection, path)
  guard collection is any DistinctElements else { return found }
  let distinct = found.compactMap { $0 as? AnyHashable }
  return distinct.count == found.count ? Set(distinct) as Any : unique(found)
}

/// A collection of distinct elements, whose values by a name are a set.
protocol DistinctElements {}
extension MutableSet: DistinctElements {}

/// The value of each element at the end of a path. Nil stands as a nil, so that the array casts to one of optionals.
private func elementValues<C: RealmCollection>(of collection: C, _ path: String) -> [Any] {
  collection.map { element -> Any in
    if path == "self" { return optional(plain(element)) }
    if let object = element._underlyingObject { return optional(plain(object.value(forKeyPath: path))) }
    rule(
      C.Element._valueType.type == .object, "This class is not key value coding-compliant for the key \(path).")
    return optional(NSNull())
  }
}

/// The values of the elements at the end of a path, without nils.
private func values<C: RealmCollection>(of collection: C, _ path: String) -> [Any] {
  elementValues(of: collection, path).filter { ($0 as? any AnyOptional)?.isNil != true }
}

/// The elements of a value that is a collection; any other value as the only element.
private func elements(_ value: Any) -> [Any] {
  (value as? any LiteralElements)?.literalElements ?? value as? [Any] ?? [value]
}

/// The distinct values, in the order of their first occurrence.
private func unique(_ values: [Any]) -> [Any] {
  var seen: Set<AnyHashable> = []
  return values.filter { ($0 as? AnyHashable).map { seen.insert($0).inserted } ?? true }
}

/// A value in place of which nil stands as a nil of Swift: `NSNull` casts to no optional on Linux.
private func optional(_ value: Any) -> Any { isNull(value) ? Optional<Any>.none as Any : value }

/// A value, unwrapped from optionals and mixed values; `NSNull` for nil.
private func plain(_ value: Any?) -> Any {
  guard let value else { return NSNull() }
  if let optional = value as? any AnyOptional { return plain(optional.unwrapped) }
  if let mixed = value as? AnyRealmValue { return mixed._queryLiteral ?? NSNull() }
  return value
}

/// The values at the end of a path as references, as some signatures of RealmSwift return them.
func keyObjects<C: RealmCollection>(of collection: C, _ path: String) -> [AnyObject] {
  (keyValues(of: collection, path) as? [Any] ?? []).map { plain($0) as AnyObject }
}

extension List {
  /// ``RealmCollection/value(forKey:)`` as references.
  public func value(forKey key: String) -> [AnyObject] { keyObjects(of: self, key) }
  /// ``RealmCollection/value(forKeyPath:)`` as references.
  public func value(forKeyPath keyPath: String) -> [AnyObject] { keyObjects(of: self, keyPath) }
}

extension MutableSet {
  /// ``RealmCollection/value(forKey:)`` as references, each value once.
  public func value(forKey key: String) -> [AnyObject] {
    unique(elementValues(of: self, key)).map { plain($0) as AnyObject }
  }
}

extension Map {
  /// The value of a key as a reference; nil when there is none.
  public func value(forKey key: String) -> AnyObject? { (value(forKey: key) as Any?).map { plain($0) as AnyObject } }

  /// The value at the end of dot-joined names: a key, and properties of its object.
  public func value(forKeyPath keyPath: String) -> Any? {
    let names = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    guard let key = names.first, names.count > 1 else { return value(forKey: keyPath) as Any? }
    return (value(forKey: key) as Any?).flatMap { keyValue(of: $0, names[1]) }
  }

  /// ``value(forKeyPath:)`` as a reference.
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    (value(forKeyPath: keyPath) as Any?).map { $0 as AnyObject }
  }
}

/// The value at the end of dot-joined names, from an object, a collection or a map; nil for any other value.
func keyValue(of any: Any, _ path: String) -> Any? {
  if let object = any as? ObjectBase { return object.value(forKeyPath: path) }
  if let collection = any as? any RealmCollection { return keyValues(of: collection, path) }
  if let map = any as? any RealmKeyedCollection { return map.keyedValue(path) }
  return nil
}

extension RealmKeyedCollection {
  fileprivate func keyedValue(_ path: String) -> Any? { (self as? Map<Key, Value>)?.value(forKeyPath: path) }
}

extension ObjectBase {
  /// The value at the end of dot-joined names.
  public func value(forKeyPath path: String) -> Any? {
    let names = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = names.first else { return nil }
    guard names.count > 1 else { return value(forKey: first) }
    return value(forKey: first).flatMap { keyValue(of: $0, names[1]) }
  }

  /// Sets the value at the end of dot-joined names.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    guard let dot = path.lastIndex(of: ".") else { return setValue(value, forKey: path) }
    let key = String(path[path.index(after: dot)...])
    switch self.value(forKeyPath: String(path[..<dot])) {
    case let object as ObjectBase: object.setValue(value, forKey: key)
    case let collection as any RealmCollection: collection.setValue(value, forKey: key)
    default: break
    }
  }
}

// MARK: Equality and hashes by the names of NSObject

extension List {
  /// Whether the other is the same list.
  public func isEqual(_ object: Any?) -> Bool { (object as? List).map { self == $0 } ?? false }
}

extension MutableSet {
  /// Whether the other is the same set.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet).map { self == $0 } ?? false }
}

extension Map {
  /// Whether the other is the same map.
  public func isEqual(_ object: Any?) -> Bool { (object as? Map).map { self == $0 } ?? false }
}
