import DataModel
import StorageEngine

/// An ordered collection of objects or plain values, as a property.
///
///     @Persisted var dogs: List<Dog>
///     try realm.write { person.dogs.append(rex) }
///
/// An unmanaged list is an array in memory. A live list shows the present state of its object's row, and changes need a
/// write transaction on its realm's thread, queue or actor. Deleted objects leave the list.
///
/// - Complexity: reading an element of a live list is O(log *n*).
public final class List<Element: RealmCollectionValue>: _ManagedCollection {
  var unmanaged: [Element] = []
  private var storage = ManagedStorage()
  var accessor: CollectionAccessor? { storage.accessor }

  /// An empty, unmanaged list.
  public init() {}

  /// The live list of a field.
  public init(_ accessor: CollectionAccessor) { storage = ManagedStorage(accessor) }

  init(_ elements: [Element]) { unmanaged = elements }

  /// Makes the list the live list of a field.
  public func _attach(_ accessor: CollectionAccessor) {
    storage = ManagedStorage(accessor)
    unmanaged = []
  }

  /// The source of a live collection; nil while unmanaged.
  public var _source: ResultsSource? { storage.source(of: Element.self) }

  // MARK: Reading

  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { accessor.map { !$0.isValid } ?? false }

  /// The number of elements.
  public var count: Int { accessor?.count ?? unmanaged.count }

  /// An element by its position; setting replaces it. A position outside stops the program.
  public subscript(position: Int) -> Element {
    get {
      if let accessor { return Element._decoded(accessor.element(position), in: accessor, .index(position)) }
      checkPosition(position, of: unmanaged.count)
      return unmanaged[position]
    }
    set { replace(index: position, object: newValue) }
  }

  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> RLMIterator<Element> {
    accessor?.check()
    return _source.map { RLMIterator($0) } ?? RLMIterator(unmanaged)
  }

  /// The position of an element; nil when it is not in the list.
  public func index(of element: Element) -> Int? {
    guard let source = _source else {
      if let object = element as? ObjectBase { return unmanaged.firstIndex { ($0 as? ObjectBase) === object } }
      return unmanaged.firstIndex(of: element)
    }
    accessor?.check()
    return source.index(of: element)
  }

  /// Whether both are the same property of the same object, or unmanaged lists of equal elements.
  public static func == (left: List, right: List) -> Bool {
    switch (left.accessor, right.accessor) {
    case (let a?, let b?): a.isSame(as: b)
    case (nil, nil): left === right || left.unmanaged == right.unmanaged
    default: false
    }
  }
}

extension List: MutableCollection {
  /// A slice of the list; setting replaces its elements.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }

  /// Exchanges two elements.
  public func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    let (low, high) = first < second ? (first, second) : (second, first)
    move(from: high, to: low)
    move(from: low + 1, to: high)
  }
}
