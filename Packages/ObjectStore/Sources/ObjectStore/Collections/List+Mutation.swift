public import Foundation
import StorageEngine
import RecordStore

extension List {
  /// Adds an element at the end. An unmanaged object is added to the realm.
  public func append(_ object: Element) {
    guard let accessor else { return unmanaged.append(object) }
    accessor.prepareForWriting()
    insert(object, accessor.rawCount, accessor)
  }

  /// Adds elements at the end.
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

  /// Adds an element before a position, or at the end.
  public func insert(_ object: Element, at index: Int) {
    let count = self.count
    guard has(index, of: count + 1) else { return }
    guard let accessor else { return unmanaged.insert(object, at: index) }
    accessor.prepareForWriting()
    insert(object, index == count ? accessor.rawCount : accessor.raw(index), accessor)
  }

  /// Takes an element out. Objects stay in the realm; embedded ones are deleted.
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

  /// Takes everything out.
  public func removeAll() {
    guard let accessor else { return unmanaged.removeAll() }
    accessor.prepareForWriting()
    accessor.clear()
  }

  /// Puts another element in the place of one.
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

  /// Moves an element so that it then stands at position `to`. Others see one move.
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

  /// Takes the first elements out.
  public func removeFirst(_ number: Int = 1) {
    guard hasElements(number) else { return }
    for _ in 0..<number { remove(at: 0) }
  }

  /// Takes the last elements out.
  public func removeLast(_ number: Int = 1) {
    guard hasElements(number) else { return }
    for _ in 0..<number { remove(at: count - 1) }
  }

  /// Adds elements before a position.
  public func insert<C: Collection>(contentsOf newElements: C, at i: Int) where C.Iterator.Element == Element {
    for (offset, element) in newElements.enumerated() { insert(element, at: i + offset) }
  }

  /// Puts other elements in the place of a range.
  public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
  where C.Iterator.Element == Element, R.Bound == Int {
    let range = subrange.relative(to: self)
    let elements = Array(newElements)
    for _ in range { remove(at: range.lowerBound) }
    insert(contentsOf: elements, at: range.lowerBound)
  }

  /// Takes a range out.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    for index in boundsExpression.relative(to: self).reversed() { remove(at: index) }
  }

  /// Takes elements at several positions out.
  public func remove(atOffsets offsets: IndexSet) {
    for index in offsets.reversed() { remove(at: index) }
  }

  /// Moves elements so that they stand before `destination`.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    for (rank, index) in offsets.filter({ $0 < destination }).reversed().enumerated() {
      move(from: index, to: destination - 1 - rank)
    }
    for (rank, index) in offsets.filter({ $0 >= destination }).enumerated() {
      move(from: index, to: destination + rank)
    }
  }

  // MARK: Helpers

  /// Stops the program unless a position is one of `count`; false where a damaged file is to blame.
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
  public typealias PersistedType = List<Element>

  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .list
    return type
  }

  public var _accessor: CollectionAccessor? { accessor }
  public var _isEmpty: Bool { isEmpty }
  public func _copy() -> List { List(Array(self)) }
  public static func _tracing() -> List { List(KeyPathTracer.elements()) }

  public func _replace(with other: List) {
    removeAll()
    append(objectsIn: other.unmanaged)
  }

  /// Position by position, as peers that edit other positions would have it.
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
