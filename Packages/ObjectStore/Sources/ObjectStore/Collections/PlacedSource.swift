/// The live form of a collection that a property holds, made when it is first asked for.
struct PlacedSource {
  /// Where the collection lies; nil while it is unmanaged.
  private(set) var place: CollectionPlace?
  private var made: ResultsSource?

  init(_ place: CollectionPlace? = nil) { self.place = place }

  /// - Parameter element: what the collection holds.
  mutating func source<Element: RealmCollectionValue>(of element: Element.Type) -> ResultsSource? {
    guard let place else { return nil }
    if let made { return made }
    let access = Element._valueType.objectType.map { place.elementAccess($0) }
    let source = ResultsSource(place.view, .collection(place, access))
    made = source
    return source
  }
}

/// A collection that a property holds: it is made from the place where it lies.
public protocol _PlacedCollection: RealmCollection {
  init()
  init(_ place: CollectionPlace)
}

extension _PlacedCollection {
  public static func _moved(_ source: ResultsSource) -> Self {
    guard case .collection(let place, _) = source.base else { return Self() }
    return Self(place)
  }
}
