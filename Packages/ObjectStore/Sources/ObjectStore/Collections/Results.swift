import DataModel
import StorageEngine

/// The results of a query: lazy, and live. Results always show the present state of the realm, including the changes of
/// an open transaction. They are evaluated on first use, and again after a change.
///
///     let adults = realm.objects(Person.self).filter("age >= 18").sorted(byKeyPath: "name")
///     adults.first?.name
///
/// - Complexity: evaluation is O(*n*) in the objects of the class, or in what an index finds; element access is O(1).
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  let source: ResultsSource

  init(_ source: ResultsSource) { self.source = source }

  /// The source of a live collection; nil while unmanaged.
  public var _source: ResultsSource? { source }
  /// The same kind of collection with another source.
  public static func _moved(_ source: ResultsSource) -> Results { Results(source) }

  /// The number of elements.
  ///
  /// - Complexity: O(*n*) in the objects of the class when the query has to be evaluated, O(1) until the next change.
  public var count: Int { source.count }
  /// Whether the object was deleted or the realm invalidated; false while unmanaged.
  public var isInvalidated: Bool { source.isInvalidated }
  /// An element by its position. A position outside stops the program.
  public subscript(position: Int) -> Element { Element._decoded(source.stored(position), source.view) }
  /// The first element; nil when there is none.
  public var first: Element? { source.first.map { Element._decoded($0, source.view) } }
  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(source) }

  /// The position of an object or value; nil when it is not in the collection.
  public func index(of element: Element) -> Int? { source.index(of: element) }

  /// Whether both are the same query.
  public static func == (left: Results, right: Results) -> Bool { left.source === right.source }
}

extension ResultsSource {
  func index<Element: RealmCollectionValue>(of element: Element) -> Int? {
    if let object = element as? ObjectBase ?? (element as? any ProjectionObservable)?.rootObject {
      guard let access = object.state.pointee.access?.takeUnretainedValue(),
        access.layout.table == elementAccess?.layout.table, !object.isInvalidated
      else { return nil }
      let row = object.state.pointee.row
      return rows.firstIndex(of: row)
    }
    guard case .values(let values) = current else { return nil }
    let stored = element._encoded(view)
    return values.firstIndex(of: stored)
  }
}
