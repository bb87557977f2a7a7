public import Foundation
import StorageEngine

extension List {
  /// Adds an element at the end. An unmanaged object is added to the realm.
  public func append(_ object: Element) {
    guard let place else { return unmanaged.append(object) }
    place.prepareForWriting()
    insert(object, place.rawCount, place)
  }

  /// Adds elements at the end.
  public func append<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    guard let place else { return unmanaged.append(contentsOf: objects) }
    place.prepareForWriting()
    guard !place.holdsEmbedded else {
      for object in Array(objects) { insert(object, place.rawCount, place) }
      return
    }
    let stored = objects.map { encoded($0, place) }
    place.modify { try $0.append(stored, place.field, place.row, place.layout) }
  }

  /// Adds an element before a position, or at the end.
  public func insert(_ object: Element, at index: Int) {
    let count = self.count
    rule(index >= 0 && index <= count, "Index \(index) is out of bounds (must be at most \(count)).")
    guard let place else { return unmanaged.insert(object, at: index) }
    place.prepareForWriting()
    insert(object, index == count ? place.rawCount : place.raw(index), place)
  }

  /// Takes an element out. Objects stay in the realm; embedded ones are deleted.
  public func remove(at index: Int) {
    let count = self.count
    rule(index >= 0 && index < count, "Index \(index) is out of bounds (must be less than \(count)).")
    guard let place else {
      unmanaged.remove(at: index)
      return
    }
    place.prepareForWriting()
    place.modify { try $0.removeElement(at: place.raw(index), place.field, place.row, place.layout) }
  }

  /// Takes everything out.
  public func removeAll() {
    guard let place else { return unmanaged.removeAll() }
    place.prepareForWriting()
    place.modify { try $0.clearList(place.field, place.row, place.layout) }
  }

  /// Puts another element in the place of one.
  public func replace(index: Int, object: Element) {
    let count = self.count
    rule(index >= 0 && index < count, "Index \(index) is out of bounds (must be less than \(count)).")
    guard let place else {
      unmanaged[index] = object
      return
    }
    place.prepareForWriting()
    let raw = place.raw(index)
    if place.holdsEmbedded {
      place.modify { try $0.removeElement(at: raw, place.field, place.row, place.layout) }
      return insert(object, raw, place)
    }
    let stored = encoded(object, place)
    place.modify { try $0.setElement(stored, at: raw, place.field, place.row, place.layout) }
  }

  /// Moves an element so that it then stands at position `to`. Others see one move.
  public func move(from: Int, to: Int) {
    let count = self.count
    rule(from >= 0 && from < count, "Index \(from) is out of bounds (must be less than \(count)).")
    rule(to >= 0 && to < count, "Index \(to) is out of bounds (must be less than \(count)).")
    guard let place else {
      unmanaged.insert(unmanaged.remove(at: from), at: to)
      return
    }
    place.prepareForWriting()
    place.modify {
      try $0.moveElement(from: place.raw(from), to: place.raw(to), place.field, place.row, place.layout)
    }
  }

  /// Takes the first elements out.
  public func removeFirst(_ number: Int = 1) {
    rule(number >= 0 && number <= count, "It is not possible to remove more objects than there are.")
    for _ in 0..<number { remove(at: 0) }
  }

  /// Takes the last elements out.
  public func removeLast(_ number: Int = 1) {
    rule(number >= 0 && number <= count, "It is not possible to remove more objects than there are.")
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

  private func insert(_ object: Element, _ raw: Int, _ place: CollectionPlace) {
    guard place.holdsEmbedded else {
      let stored = encoded(object, place)
      return place.modify { try $0.insert(stored, at: raw, place.field, place.row, place.layout) }
    }
    guard let embedded = object as? EmbeddedObject else { return }
    let source = place.view.unmanagedEmbedded(embedded)
    let child = place.view.modify { try $0.insertEmbedded(at: raw, place.field, place.row, place.layout) }
    place.view.promote(source, place.view.access(type(of: source)), child, isNew: true)
  }

  private func encoded(_ object: Element, _ place: CollectionPlace) -> StoredValue {
    if let object = object as? ObjectBase, let view = object.view, view !== place.view,
      !place.view.promotionRules.copiesForeign
    {
      violated("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }
    return object._encoded(place.view)
  }
}

extension List: _HasPersistedType, _Persistable {
  public typealias PersistedType = List<Element>

  public static var _propertyType: _ValueType {
    var type = Element._valueType
    type.collection = .list
    return type
  }
  public static var _isHeldByObject: Bool { true }

  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> List {
    guard let access = state.pointee.access?.takeUnretainedValue() else { return List() }
    return List(CollectionPlace(access, state.pointee.row, number))
  }

  public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> List {
    _initialValue(state, number)
  }

  public static func _assign(_ value: List, _ object: ObjectBase, _ number: Int) {
    let list: List
    if let access = object.state.pointee.access?.takeUnretainedValue() {
      list = List(CollectionPlace(access, object.state.pointee.row, number))
    } else {
      guard let own = object.heldValue(number) as? List else { return }
      list = own
    }
    guard list != value else { return }
    let elements = Array(value)
    list.removeAll()
    list.append(objectsIn: elements)
  }

  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<List>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    guard let value = wrapper.pointee.value else {
      // Never looked at: an empty list, which an update takes over unless it leaves out what was not named.
      if !promotion.isNew, !promotion.skipsUnassigned {
        List(CollectionPlace(promotion.access, promotion.row, number)).removeAll()
      }
      return
    }
    let elements = value.unmanaged
    let wasAssigned = !promotion.isDefault
    let place = CollectionPlace(promotion.access, promotion.row, number)
    value.attach(place)
    if !promotion.isNew {
      if promotion.skipsUnassigned && !wasAssigned && elements.isEmpty { return }
      if promotion.policy == .modified, Array(List(place)) == elements { return }
      value.removeAll()
    }
    if !elements.isEmpty { value.append(objectsIn: elements) }
  }

  public static func _convertedProperty(_ any: Any) -> List? {
    if any is NSNull { return List() }
    if let list = any as? List { return List(Array(list)) }
    let elements: [Any]
    if let other = any as? any LiteralElements {
      elements = other.literalElements
    } else if let array = any as? [Any] {
      elements = array
    } else {
      return nil
    }
    var converted: [Element] = []
    for element in elements {
      guard let value = Element._converted(element) else { return nil }
      converted.append(value)
    }
    return List(converted)
  }
}

extension ObjectBase {
  /// The instance that a property holds, made when there is none yet.
  func heldValue(_ number: Int) -> Any? {
    let property = binding.properties[number]
    return property.access.read(self, memory + property.offset, number)
  }
}
