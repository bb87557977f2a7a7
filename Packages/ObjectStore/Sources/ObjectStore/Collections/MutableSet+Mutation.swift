import DataModel
import Foundation
import StorageEngine
import RecordStore

extension MutableSet {
  /// Inserts an element, unless the set contains it. An unmanaged object is added to the realm. O(log *n*).
  public func insert(_ object: Element) {
    guard let accessor else { return unmanaged.insert(object) }
    accessor.prepareForWriting()
    accessor.insertMember(accessor.encoded(object))
  }

  /// Inserts several elements.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    for object in Array(objects) { insert(object) }
  }

  /// Removes an element, if the set contains it. An object stays in the realm. O(log *n*).
  public func remove(_ object: Element) {
    guard let accessor else { return unmanaged.remove(object) }
    accessor.prepareForWriting()
    if let stored = accessor.lookUp(object) { accessor.removeMember(stored) }
  }

  /// Removes all elements. Objects stay in the realm. O(*n*).
  public func removeAll() {
    guard let accessor else { return unmanaged = UnmanagedSet() }
    accessor.prepareForWriting()
    accessor.clear()
  }

  // MARK: Algebra

  /// Whether another set contains every element of this one. O(*n*).
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    guard let (mine, other) = members(possibleSuperset) else {
      return allSatisfy { possibleSuperset.contains($0) }
    }
    return mine.isSubset(of: other)
  }

  /// Whether the sets have an element in common. O(*n*).
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    guard let (mine, other) = members(otherSet) else { return contains { otherSet.contains($0) } }
    return !mine.isDisjoint(with: other)
  }

  /// Removes the elements that another set does not contain.
  public func formIntersection(_ other: MutableSet<Element>) {
    accessor?.prepareForWriting()
    guard let accessor, let (mine, kept) = members(other) else {
      for element in Array(self) where !other.contains(element) { remove(element) }
      return
    }
    for member in mine.subtracting(kept) { accessor.removeMember(member) }
  }

  /// Removes the elements that another set contains.
  public func subtract(_ other: MutableSet<Element>) {
    accessor?.prepareForWriting()
    guard let accessor, let (mine, gone) = members(other) else {
      for element in Array(other) { remove(element) }
      return
    }
    for member in mine.intersection(gone) { accessor.removeMember(member) }
  }

  /// Inserts the elements of another set.
  public func formUnion(_ other: MutableSet<Element>) {
    accessor?.prepareForWriting()
    guard let accessor, let (mine, more) = members(other) else { return insert(objectsIn: other) }
    for member in more.subtracting(mine) { accessor.insertMember(member) }
  }

  /// The stored members of two live sets; nil when this one is unmanaged. A live set with a set of no or another realm
  /// stops the program.
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
  /// Stored as itself.
  public typealias PersistedType = MutableSet<Element>

  /// The stored type of a property.
  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .set
    return type
  }

  /// Access to the field of a live collection; nil while unmanaged.
  public var _accessor: CollectionAccessor? { accessor }
  /// Whether there are no elements.
  public var _isEmpty: Bool { isEmpty }
  /// An unmanaged collection of the same elements.
  public func _copy() -> MutableSet { MutableSet(Array(self)) }
  /// A collection to follow key paths on, with one such object.
  public static func _tracing() -> MutableSet { MutableSet(KeyPathTracer.elements()) }

  /// Takes over the elements of an unmanaged collection.
  public func _replace(with other: MutableSet) {
    removeAll()
    insert(objectsIn: other.unmanaged.elements)
  }

  /// Takes over the elements of an unmanaged collection, and writes only the differences.
  public func _update(to other: MutableSet) {
    guard let accessor else { return _replace(with: other) }
    let wanted = Set(other.unmanaged.elements.map { accessor.encoded($0) })
    let present = Set(accessor.view.reading(or: []) { try accessor.visibleElements(accessor.view.readView) })
    for member in present.subtracting(wanted) { accessor.removeMember(member) }
    for member in wanted.subtracting(present) { accessor.insertMember(member) }
  }

  /// Converts a literal; nil when it stands for no such value.
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
