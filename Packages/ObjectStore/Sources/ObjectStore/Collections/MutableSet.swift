import DataModel
import StorageEngine
import RecordStore

/// An unordered collection of distinct elements, as a property.
///
///     @Persisted var tags: MutableSet<String>
///     try realm.write { dog.tags.insert("brown") }
///
/// An unmanaged set is kept in memory. A live set shows the present state of its object's row, and changes need a write
/// transaction on its realm's thread, queue or actor. Elements are equal when their stored values are, objects when
/// they are the same object. Concurrent insertions and removals of several devices are merged element by element.
public final class MutableSet<Element: RealmCollectionValue>: _ManagedCollection {
  var unmanaged = UnmanagedSet<Element>()
  private var storage = ManagedStorage()
  var accessor: CollectionAccessor? { storage.accessor }

  /// An empty, unmanaged set.
  public init() {}

  /// The live set of a field.
  public init(_ accessor: CollectionAccessor) { storage = ManagedStorage(accessor) }

  init(_ elements: some Sequence<Element>) {
    for element in elements { unmanaged.insert(element) }
  }

  /// Makes the set the live set of a field.
  public func _attach(_ accessor: CollectionAccessor) {
    storage = ManagedStorage(accessor)
    unmanaged = UnmanagedSet()
  }

  /// The source of a live collection; nil while unmanaged.
  public var _source: ResultsSource? { storage.source(of: Element.self) }

  // MARK: Reading

  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { accessor.map { !$0.isValid } ?? false }

  /// The number of elements.
  public var count: Int { accessor?.count ?? unmanaged.elements.count }

  /// The element at a position. The order is unspecified and differs after a change. A position outside stops the
  /// program.
  public subscript(position: Int) -> Element {
    if let accessor, let source = _source {
      accessor.check()
      return Element._decoded(source.stored(position), accessor.view)
    }
    let elements = unmanaged.elements
    checkPosition(position, of: elements.count)
    return elements[position]
  }

  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> RLMIterator<Element> {
    accessor?.check()
    return _source.map { RLMIterator($0) } ?? RLMIterator(unmanaged.elements)
  }

  /// Whether the set contains an element. O(log *n*).
  public func contains(_ object: Element) -> Bool {
    guard let accessor else { return unmanaged.contains(object) }
    accessor.check()
    guard let stored = accessor.lookUp(object) else { return false }
    return accessor.hasMember(stored)
  }

  /// Stops the program: the positions of a set are unspecified.
  public func index(of object: Element) -> Int? { violated("index(of:) is not available on MutableSet.") }
  /// Stops the program: the positions of a set are unspecified.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    violated("index(matching:) is not available on MutableSet.")
  }

  /// Whether both are the same property of the same object, or unmanaged sets of equal elements.
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    switch (left.accessor, right.accessor) {
    case (let a?, let b?): a.isSame(as: b)
    case (nil, nil): left === right || left.unmanaged.isEqual(to: right.unmanaged)
    default: false
    }
  }
}

extension CollectionAccessor {
  /// The stored form of an element to be looked up; nil for an object that does not belong to this realm.
  func lookUp<Element: RealmCollectionValue>(_ element: Element) -> StoredValue? {
    if let object = element._underlyingObject {
      guard let other = object.view, other === view, !object.isInvalidated else { return nil }
    }
    return element._encoded(view)
  }
}

/// Distinct elements in memory. Objects are searched one by one, since an object's hash changes when it becomes live.
struct UnmanagedSet<Element: RealmCollectionValue> {
  private(set) var elements: [Element] = []
  private var positions: [Element: Int] = [:]
  private let holdsObjects = Element._valueType.type == .object

  func position(_ element: Element) -> Int? {
    holdsObjects ? elements.firstIndex(of: element) : positions[element]
  }

  func contains(_ element: Element) -> Bool { position(element) != nil }

  func isEqual(to other: Self) -> Bool {
    elements.count == other.elements.count && elements.allSatisfy { other.contains($0) }
  }

  mutating func insert(_ element: Element) {
    guard position(element) == nil else { return }
    if !holdsObjects { positions[element] = elements.count }
    elements.append(element)
  }

  mutating func remove(_ element: Element) {
    guard let position = position(element), let last = elements.popLast() else { return }
    if !holdsObjects { positions[element] = nil }
    guard position < elements.count else { return }
    elements[position] = last
    if !holdsObjects { positions[last] = position }
  }
}
