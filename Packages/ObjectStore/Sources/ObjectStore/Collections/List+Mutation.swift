public import Foundation
import StorageEngine
import RecordStore

extension List {
  /// Appends an element. An unmanaged object is added to the realm. O(log *n*).
  public func append(_ object: Element) {
    guard let accessor else { return unmanaged.append(object) }
    accessor.prepareForWriting()
    insert(object, accessor.rawCount, accessor)
  }

  /// Appends several elements. O(*m* log *n*) for *m* elements.
  public func append<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    guard let accessor else { return unmanaged.append(contentsOf: objects) }
    accessor.prepareForWriting()
    guard !accessor.holdsEmbedded else {
      for object in Array(objects) { insert(object, accessor.rawCount, accessor) }
      return
    }
    let stored = objects.map { accessor.encoded($0) }
    accessor.insert(stored, at: accessor.rawCount)
  }

  /// Inserts an element before a position, or at the end. A position outside stops the program. O(log *n*).
  public func insert(_ object: Element, at index: Int) {
    let count = self.count
    guard has(index, of: count + 1) else { return }
    guard let accessor else { return unmanaged.insert(object, at: index) }
    accessor.prepareForWriting()
    insert(object, index == count ? accessor.rawCount : accessor.raw(index), accessor)
  }

  /// Removes an element. An object stays in the realm; an embedded object is deleted. A position outside stops the
  /// program. O(log *n*).
  public func remove(at index: Int) {
    let count = self.count
    guard has(index, of: count) else { return }
    guard let accessor else {
      unmanaged.remove(at: index)
      return
    }
    accessor.prepareForWriting()
    accessor.removeElement(at: accessor.raw(index))
  }

  /// Removes all elements. Objects stay in the realm; embedded objects are deleted. O(*n*).
  public func removeAll() {
    guard let accessor else { return unmanaged.removeAll() }
    accessor.prepareForWriting()
    accessor.clear()
  }

  /// Replaces an element. A position outside stops the program. O(log *n*).
  public func replace(index: Int, object: Element) {
    let count = self.count
    guard has(index, of: count) else { return }
    guard let accessor else {
      unmanaged[index] = object
      return
    }
    accessor.prepareForWriting()
    let raw = accessor.raw(index)
    if accessor.holdsEmbedded {
      accessor.removeElement(at: raw)
      return insert(object, raw, accessor)
    }
    accessor.setElement(accessor.encoded(object), at: raw)
  }

  /// Moves an element to position `to`. Other devices merge it as one move. A position outside stops the program.
  public func move(from: Int, to: Int) {
    let count = self.count
    guard has(from, of: count), has(to, of: count) else { return }
    guard let accessor else {
      unmanaged.insert(unmanaged.remove(at: from), at: to)
      return
    }
    accessor.prepareForWriting()
    accessor.moveElement(from: accessor.raw(from), to: accessor.raw(to))
  }

  /// Removes the first elements. More than there are stop the program.
  public func removeFirst(_ number: Int = 1) {
    guard hasElements(number) else { return }
    for _ in 0..<number { remove(at: 0) }
  }

  /// Removes the last elements. More than there are stop the program.
  public func removeLast(_ number: Int = 1) {
    guard hasElements(number) else { return }
    for _ in 0..<number { remove(at: count - 1) }
  }

  /// Inserts elements before a position.
  public func insert<C: Collection>(contentsOf newElements: C, at i: Int) where C.Iterator.Element == Element {
    for (offset, element) in newElements.enumerated() { insert(element, at: i + offset) }
  }

  /// Replaces the elements of a range.
  public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
  where C.Iterator.Element == Element, R.Bound == Int {
    let range = subrange.relative(to: self)
    let elements = Array(newElements)
    for _ in range { remove(at: range.lowerBound) }
    insert(contentsOf: elements, at: range.lowerBound)
  }

  /// Removes the elements of a range.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    for index in boundsExpression.relative(to: self).reversed() { remove(at: index) }
  }

  /// Removes the elements at several positions.
  public func remove(atOffsets offsets: IndexSet) {
    for index in offsets.reversed() { remove(at: index) }
  }

  /// Moves elements, in their order, before the element at `destination`.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    for (rank, index) in offsets.filter({ $0 < destination }).reversed().enumerated() {
      move(from: index, to: destination - 1 - rank)
    }
    for (rank, index) in offsets.filter({ $0 >= destination }).enumerated() {
      move(from: index, to: destination + rank)
    }
  }

  // MARK: Helpers

  /// Stops the program unless a position is one of `count`; false instead after a failed read.
  private func has(_ position: Int, of count: Int) -> Bool {
    if let accessor { return accessor.view.has(position, of: count) }
    checkPosition(position, of: count)
    return true
  }

  private func hasElements(_ number: Int) -> Bool {
    if number >= 0, number <= count { return true }
    rule(accessor?.view.isContradictory ?? false, "It is not possible to remove more objects than there are.")
    return false
  }

  private func insert(_ object: Element, _ raw: Int, _ accessor: CollectionAccessor) {
    guard accessor.holdsEmbedded else { return accessor.insert([accessor.encoded(object)], at: raw) }
    guard let source = accessor.embedded(object) else { violated("A list of embedded objects cannot contain nil.") }
    accessor.promote(source, accessor.insertEmbedded(at: raw), isNew: true)
  }
}

extension List: _HasPersistedType, _Persistable, _CollectionProperty {
  /// Stored as itself.
  public typealias PersistedType = List<Element>

  /// The stored type of a property.
  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .list
    return type
  }

  /// Access to the field of a live collection; nil while unmanaged.
  public var _accessor: CollectionAccessor? { accessor }
  /// Whether there are no elements.
  public var _isEmpty: Bool { isEmpty }
  /// An unmanaged collection of the same elements.
  public func _copy() -> List { List(Array(self)) }
  /// A collection to follow key paths on, with one such object.
  public static func _tracing() -> List { List(KeyPathTracer.elements()) }

  /// Takes over the elements of an unmanaged collection.
  public func _replace(with other: List) {
    removeAll()
    append(objectsIn: other.unmanaged)
  }

  /// Takes over the elements of an unmanaged list position by position, and writes only the differences: concurrent changes of other
  /// positions on other devices stay.
  public func _update(to other: List) {
    guard let accessor else { return _replace(with: other) }
    let elements = other.unmanaged
    let count = self.count
    for (position, element) in elements.prefix(count).enumerated() {
      let old = accessor.element(position)
      if let child = accessor.holdsEmbedded ? accessor.embeddedRow(old) : nil, let source = accessor.embedded(element) {
        accessor.promote(source, child, isNew: false)
      } else {
        let new = accessor.encoded(element)
        if new != old { accessor.setElement(new, at: accessor.raw(position)) }
      }
    }
    if elements.count < count { removeLast(count - elements.count) }
    if elements.count > count { append(objectsIn: elements[count...]) }
  }

  /// Converts a literal; nil when it stands for no such value.
  public static func _convertedProperty(_ any: Any) -> List? {
    if any is NSNull { return List() }
    guard let elements = elementsOfLiteral(any) else { return nil }
    var converted: [Element] = []
    for element in elements {
      guard let value = Element._converted(element) else { return nil }
      converted.append(value)
    }
    return List(converted)
  }
}
