import DataModel
import Foundation
import StorageEngine

extension MutableSet {
  /// Adds an element, unless it is there. An unmanaged object is added to the realm.
  public func insert(_ object: Element) {
    guard let place else { return unmanaged.insert(object) }
    place.prepareForWriting()
    place.insertMember(place.encoded(object))
  }

  /// Adds elements.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    for object in Array(objects) { insert(object) }
  }

  /// Takes an element out, if it is there. Objects stay in the realm.
  public func remove(_ object: Element) {
    guard let place else { return unmanaged.remove(object) }
    place.prepareForWriting()
    if let stored = place.lookUp(object) { place.removeMember(stored) }
  }

  /// Takes everything out.
  public func removeAll() {
    guard let place else { return unmanaged = UnmanagedSet() }
    place.prepareForWriting()
    place.clear()
  }

  // MARK: Algebra

  /// Whether every element of this set is in another one.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    guard let (mine, other) = members(possibleSuperset) else {
      return allSatisfy { possibleSuperset.contains($0) }
    }
    return mine.isSubset(of: other)
  }

  /// Whether the two sets have an element in common.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    guard let (mine, other) = members(otherSet) else { return contains { otherSet.contains($0) } }
    return !mine.isDisjoint(with: other)
  }

  /// Takes out what is not in another set.
  public func formIntersection(_ other: MutableSet<Element>) {
    place?.prepareForWriting()
    guard let place, let (mine, kept) = members(other) else {
      for element in Array(self) where !other.contains(element) { remove(element) }
      return
    }
    for member in mine.subtracting(kept) { place.removeMember(member) }
  }

  /// Takes out what is in another set.
  public func subtract(_ other: MutableSet<Element>) {
    place?.prepareForWriting()
    guard let place, let (mine, gone) = members(other) else {
      for element in Array(other) { remove(element) }
      return
    }
    for member in mine.intersection(gone) { place.removeMember(member) }
  }

  /// Adds what is in another set.
  public func formUnion(_ other: MutableSet<Element>) {
    place?.prepareForWriting()
    guard let place, let (mine, more) = members(other) else { return insert(objectsIn: other) }
    for member in more.subtracting(mine) { place.insertMember(member) }
  }

  /// The stored members of both when this set is managed; the other one must be then, and by the same realm.
  private func members(_ other: MutableSet) -> (Set<StoredValue>, Set<StoredValue>)? {
    guard let place else { return nil }
    guard let theirs = other.place, theirs.view === place.view else {
      violated("Right hand side value must be a managed Set of the same Realm.")
    }
    place.check()
    theirs.check()
    return place.view.reading(or: ([], [])) {
      (Set(try place.visibleElements(place.view.frame)), Set(try theirs.visibleElements(place.view.frame)))
    }
  }
}

extension MutableSet: _HasPersistedType, _Persistable, _HeldCollection {
  public typealias PersistedType = MutableSet<Element>

  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .set
    return type
  }

  public var _place: CollectionPlace? { place }
  public var _isEmpty: Bool { isEmpty }
  public func _copy() -> MutableSet { MutableSet(Array(self)) }
  public static func _tracing() -> MutableSet { MutableSet(KeyPathTracer.elements()) }

  public func _replace(with other: MutableSet) {
    removeAll()
    insert(objectsIn: other.unmanaged.elements)
  }

  public func _update(to other: MutableSet) {
    guard let place else { return _replace(with: other) }
    let wanted = Set(other.unmanaged.elements.map { place.encoded($0) })
    let present = Set(place.view.reading(or: []) { try place.visibleElements(place.view.frame) })
    for member in present.subtracting(wanted) { place.removeMember(member) }
    for member in wanted.subtracting(present) { place.insertMember(member) }
  }

  public static func _convertedProperty(_ any: Any) -> MutableSet? {
    if any is NSNull { return MutableSet() }
    guard let elements = elementsOfLiteral(any) else { return nil }
    let converted = MutableSet()
    for element in elements {
      guard let value = Element._converted(element) else { return nil }
      converted.insert(value)
    }
    return converted
  }
}

extension MutableSet: TracedCollection {
  var tracer: ObjectBase? { unmanaged.elements.first?._heldObject }
}
