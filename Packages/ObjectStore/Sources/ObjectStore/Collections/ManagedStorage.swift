/// The live form of a collection that a property holds, made when it is first asked for.
struct ManagedStorage {
  /// Where the collection lies; nil while it is unmanaged.
  private(set) var accessor: CollectionAccessor?
  private var made: ResultsSource?

  init(_ accessor: CollectionAccessor? = nil) { self.accessor = accessor }

  /// - Parameter element: what the collection holds.
  mutating func source<Element: RealmCollectionValue>(of element: Element.Type) -> ResultsSource? {
    guard let accessor else { return nil }
    if let made { return made }
    let access = Element._valueType.objectType.map { accessor.elementAccess($0) }
    let source = ResultsSource(accessor.view, .collection(accessor, access))
    made = source
    return source
  }
}

/// A collection that a property holds: it is made from the place where it lies.
public protocol _ManagedCollection: RealmCollection {
  init()
  init(_ accessor: CollectionAccessor)
}

extension _ManagedCollection {
  public static func _moved(_ source: ResultsSource) -> Self {
    guard case .collection(let accessor, _) = source.base else { return Self() }
    return Self(accessor)
  }
}
