import StorageEngine
import RecordStore

/// Projects a collection of objects to a property: `dogs.projectTo.name`.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: RealmCollectionValue> {
  let source: ResultsSource?
  let elements: [Element]

  /// A property of each element, as a collection.
  public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
    let (source, elements) = (source, elements)
    let write = (member as? ReferenceWritableKeyPath<Element, V>).map { member in
      { (position: Int, value: V) in
        let element = source.map { Element._decoded($0.stored(position), $0.view) } ?? elements[position]
        element[keyPath: member] = value
      }
    }
    return ProjectedCollection(
      source: source, unmanaged: source == nil ? elements.map { $0[keyPath: member] } : [], elementPath: member,
      read: { Element._decoded($0, $1)[keyPath: member] }, write: write)
  }
}

extension _ManagedCollection {
  /// Projects the collection to a property of its elements.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(source: _source, elements: _source == nil ? Array(self) : [])
  }
}

/// A property of each element of a collection, live.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined {
  let source: ResultsSource?
  let unmanaged: [Element]
  let elementPath: AnyKeyPath
  let read: (StoredValue, RealmView) -> Element
  /// Writes the property of the element at a position; nil for a read-only property.
  let write: ((Int, Element) -> Void)?

  /// The number of elements.
  public var count: Int { source?.count ?? unmanaged.count }
  /// 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }
  /// The property of the element at a position; setting it writes that element. A position outside stops the program.
  public subscript(position: Int) -> Element {
    get {
      guard let source else {
        checkPosition(position, of: unmanaged.count)
        return unmanaged[position]
      }
      return read(source.stored(position), source.view)
    }
    nonmutating set {
      guard let write else { violated("The projected property '\(elementPath)' cannot be written.") }
      write(position, newValue)
    }
  }

  /// The realm; nil while unmanaged.
  public var realm: Realm? { source.map { Realm($0.view) } }
  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { source?.isInvalidated ?? false }
  /// Whether this is a frozen copy.
  public var isFrozen: Bool { source?.view.isFrozen ?? false }

  /// A copy that never changes and may be read from any thread. Unmanaged, the program stops.
  public func freeze() -> ProjectedCollection {
    guard let source else { violated("This collection is not managed and cannot be frozen.") }
    guard !isFrozen else { return self }
    return source.view.freezing { moved(to: $0) }
  }

  /// The live form on the calling thread; nil when it was deleted since.
  public func thaw() -> ProjectedCollection? {
    guard let source, isFrozen else { return self }
    return moved(to: source.view.thawed())
  }

  func moved(to view: RealmView) -> ProjectedCollection? {
    source?.moved(to: view).map {
      ProjectedCollection(source: $0, unmanaged: [], elementPath: elementPath, read: read, write: write)
    }
  }

  /// The values, for people.
  public var description: String {
    "ProjectedCollection<\(Element.self)> {\n" + enumerated().map { "\t[\($0)] \($1)\n" }.joined() + "}"
  }
}

extension ProjectedCollection where Element: Equatable {
  /// The position of the first element that equals a value; nil when there is none. O(*n*).
  public func index(of element: Element) -> Int? { firstIndex(of: element) }
}
