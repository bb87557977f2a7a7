import DataModel
import Foundation
import StorageEngine
import RecordStore

extension MutableSet {
  /// Adds an element, unless it is there. An unmanaged object is added to the realm.
  public func insert(_ object: Element) {
    guard let accessor else { return unmanaged.insert(object) }
    accessor.prepareForWriting()
    accessor.insertMember(accessor.encoded(object))
  }

  /// Adds elements.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    for object in Array(objects) { insert(object) }
  }

  /// Takes an element out, if it is there. Objects stay in the realm.
  public func remove(_ object: Element) {
    guard let accessor else { return unmanaged.remove(object) }
    accessor.prepareForWriting()
    if let stored = accessor.lookUp(object) { accessor.removeMember(stored) }
  }

  /// Takes everything out.
  public func removeAll() {
    guard let accessor else { return unmanaged = UnmanagedSet() }
    accessor.prepareForWriting()
    accessor.clear()
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
    accessor?.prepareForWriting()
    guard let accessor, let (mine, kept) = members(other) else {
      for element in Array(self) where !other.contains(element) { remove(element) }
      return
    }
    for member in mine.subtracting(kept) { accessor.removeMember(member) }
  }

  /// Takes out what is in another set.
  public func subtract(_ other: MutableSet<Element>) {
    accessor?.prepareForWriting()
    guard let accessor, let (mine, gone) = members(other) else {
      for element in Array(other) { remove(element) }
      return
    }
    for member in mine.intersection(gone) { accessor.removeMember(member) }
  }

  /// Adds what is in another set.
  public func formUnion(_ other: MutableSet<Element>) {
    accessor?.prepareForWriting()
    guard let accessor, let (mine, more) = members(other) else { return insert(objectsIn: other) }
    for member in more.subtracting(mine) { accessor.insertMember(member) }
  }

  /// The stored members of both when this set is managed; the other one must be then, and by the same realm.
  private func members(_ other: MutableSet) -> (Set<StoredValue>, Set<StoredValue>)? {
    guard let accessor else { return nil }
    guard let theirs = other.accessor, theirs.view === accessor.view else {
      violated("Right hand side value must be a managed Set of the same Realm.")
    }
    accessor.check()
    theirs.check()
    return accessor.view.reading(or: ([], [])) {
      (
        Set(try accessor.visibleElements(accessor.view.readView)),
        Set(try theirs.visibleElements(accessor.view.readView))
      )
    }
  }
}

extension MutableSet: _HasPersistedType, _Persistable, _CollectionProperty {
  public typealias PersistedType = MutableSet<Element>

  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .set
    return type
  }

  public var _accessor: CollectionAccessor? { accessor }
  public var _isEmpty: Bool { isEmpty }
  public func _copy() -> MutableSet { MutableSet(Array(self)) }
  public static func _tracing() -> MutableSet { MutableSet(KeyPathTracer.elements()) }

  public func _replace(with other: MutableSet) {
    removeAll()
    insert(objectsIn: other.unmanaged.elements)
  }

  public func _update(to other: MutableSet) {
    guard let accessor else { return _replace(with: other) }
    let wanted = Set(other.unmanaged.elements.map { accessor.encoded($0) })
    let present = Set(accessor.view.reading(or: []) { try accessor.visibleElements(accessor.view.readView) })
    for member in present.subtracting(wanted) { accessor.removeMember(member) }
    for member in wanted.subtracting(present) { accessor.insertMember(member) }
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
  var tracer: ObjectBase? { unmanaged.elements.first?._underlyingObject }
}
