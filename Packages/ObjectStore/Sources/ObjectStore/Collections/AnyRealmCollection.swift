/// Results, a list, a set or an inverse relationship, with its type erased.
///
///     let dogs: AnyRealmCollection<Dog> = isAdult ? AnyRealmCollection(person.dogs) : AnyRealmCollection(puppies)
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let base: any RealmCollection
  private let unmanaged: (() -> [Element])?
  /// The source of a live collection; nil while unmanaged.
  public let _source: ResultsSource?

  /// Wraps a collection. The wrapper shows its live elements.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = base
    _source = base._source
    unmanaged = base._source == nil ? { Array(base) } : nil
  }

  /// The same kind of collection with another source.
  public static func _moved(_ source: ResultsSource) -> AnyRealmCollection {
    AnyRealmCollection(Results<Element>(source))
  }

  /// The number of elements.
  public var count: Int { unmanaged?().count ?? _source?.count ?? 0 }
  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { base.isInvalidated }

  /// An element by its position. A position outside stops the program.
  public subscript(position: Int) -> Element {
    if let source = _source { return Results<Element>(source)[position] }
    let elements = unmanaged?() ?? []
    checkPosition(position, of: elements.count)
    return elements[position]
  }

  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> RLMIterator<Element> {
    _source.map { RLMIterator($0) } ?? RLMIterator(unmanaged?() ?? [])
  }

  /// The position of an element; nil when it is not in the collection.
  public func index(of element: Element) -> Int? {
    _source.map { $0.index(of: element) } ?? unmanaged?().firstIndex(of: element)
  }

  /// The description of the underlying collection.
  public var description: String { "AnyRealmCollection" + base.description.drop { $0 != "<" } }

  /// Whether both wrap collections of one type that are equal.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    func isEqual<C: RealmCollection>(_ base: C) -> Bool { (right.base as? C).map { base == $0 } ?? false }
    return isEqual(left.base)
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
