/// The accessor of a live collection property, and its source, made on first use.
struct ManagedStorage {
  /// The accessor; nil while the collection is unmanaged.
  private(set) var accessor: CollectionAccessor?
  private var made: ResultsSource?

  init(_ accessor: CollectionAccessor? = nil) { self.accessor = accessor }

  /// The source of the collection; nil while it is unmanaged.
  mutating func source<Element: RealmCollectionValue>(of element: Element.Type) -> ResultsSource? {
    guard let accessor else { return nil }
    if let made { return made }
    let access = Element._valueType.objectType.map { accessor.elementAccess($0) }
    let source = ResultsSource(accessor.view, .collection(accessor, access))
    made = source
    return source
  }
}

/// A collection property, which is made from its accessor.
public protocol _ManagedCollection: RealmCollection {
  init()
  /// The live collection of an accessor.
  init(_ accessor: CollectionAccessor)
}

extension _ManagedCollection {
  /// The same kind of collection with another source.
  public static func _moved(_ source: ResultsSource) -> Self {
    guard case .collection(let accessor, _) = source.base else { return Self() }
    return Self(accessor)
  }
}
