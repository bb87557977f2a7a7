/// Any collection of elements of one type, as one type: results, a list, a set or an inverse relationship.
///
///     let dogs: AnyRealmCollection<Dog> = isAdult ? AnyRealmCollection(person.dogs) : AnyRealmCollection(puppies)
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let base: any RealmCollection
  private let unmanaged: (() -> [Element])?
  public let _source: ResultsSource?

  /// The collection, which stays what it is.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = base
    _source = base._source
    unmanaged = base._source == nil ? { Array(base) } : nil
  }

  public static func _moved(_ source: ResultsSource) -> AnyRealmCollection {
    AnyRealmCollection(Results<Element>(source))
  }

  public var count: Int { unmanaged?().count ?? _source?.count ?? 0 }
  public var isInvalidated: Bool { base.isInvalidated }

  public subscript(position: Int) -> Element {
    if let source = _source { return Results<Element>(source)[position] }
    let elements = unmanaged?() ?? []
    checkPosition(position, of: elements.count)
    return elements[position]
  }

  public func makeIterator() -> RLMIterator<Element> {
    _source.map { RLMIterator($0) } ?? RLMIterator(unmanaged?() ?? [])
  }

  /// The position of an element; nil when it is not in the collection.
  public func index(of element: Element) -> Int? {
    _source.map { $0.index(of: element) } ?? unmanaged?().firstIndex(of: element)
  }

  public var description: String { base.description }

  /// Whether both stand for the same collection.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    func isEqual<C: RealmCollection>(_ base: C) -> Bool { (right.base as? C).map { base == $0 } ?? false }
    return isEqual(left.base)
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {
  /// As an array.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
