import DataModel
import StorageEngine
import RecordStore

/// A collection of distinct elements without order that a property holds.
///
///     @Persisted var tags: MutableSet<String>
///     try realm.write { dog.tags.insert("brown") }
///
/// Unmanaged it is an ordinary set in memory; managed it is live, and changes need a write transaction. Elements are
/// equal when their stored values are; objects when they are the same object. Others who insert and remove at the same
/// time merge element by element.
public final class MutableSet<Element: RealmCollectionValue>: _ManagedCollection {
  var unmanaged = UnmanagedSet<Element>()
  private var storage = ManagedStorage()
  var accessor: CollectionAccessor? { storage.accessor }

  /// An empty, unmanaged set.
  public init() {}

  public init(_ accessor: CollectionAccessor) { storage = ManagedStorage(accessor) }

  init(_ elements: some Sequence<Element>) {
    for element in elements { unmanaged.insert(element) }
  }

  /// Lets the set be the live one of a property.
  public func _attach(_ accessor: CollectionAccessor) {
    storage = ManagedStorage(accessor)
    unmanaged = UnmanagedSet()
  }

  public var _source: ResultsSource? { storage.source(of: Element.self) }

  // MARK: Reading

  public var isInvalidated: Bool { accessor.map { !$0.isValid } ?? false }

  public var count: Int { accessor?.count ?? unmanaged.elements.count }

  /// The element at a position. The order is that of the store, and another one after any change.
  public subscript(position: Int) -> Element {
    if let accessor, let source = _source {
      accessor.check()
      return Element._decoded(source.stored(position), accessor.view)
    }
    let elements = unmanaged.elements
    checkPosition(position, of: elements.count)
    return elements[position]
  }

  public func makeIterator() -> RLMIterator<Element> {
    accessor?.check()
    return _source.map { RLMIterator($0) } ?? RLMIterator(unmanaged.elements)
  }

  /// Whether an element is in the set.
  public func contains(_ object: Element) -> Bool {
    guard let accessor else { return unmanaged.contains(object) }
    accessor.check()
    guard let stored = accessor.lookUp(object) else { return false }
    return accessor.hasMember(stored)
  }

  /// Sets have no positions to be found; this stops the program.
  public func index(of object: Element) -> Int? { violated("index(of:) is not available on MutableSet.") }
  /// Sets have no positions to be found; this stops the program.
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
  /// The stored form of an element that is looked for; nil for an object that is not of this realm.
  func lookUp<Element: RealmCollectionValue>(_ element: Element) -> StoredValue? {
    if let object = element._underlyingObject {
      guard let other = object.view, other === view, !object.isInvalidated else { return nil }
    }
    return element._encoded(view)
  }
}

/// Distinct elements in memory. Objects are looked for one by one, since what they are equal to changes with them.
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
