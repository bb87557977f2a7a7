import DataModel
import Foundation
import QueryLanguage
import StorageEngine
import RecordStore

/// A collection of a realm, without the requirement of equality.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue, Index == Int {}

extension RealmCollectionBase {
  /// The type of the elements.
  public typealias ElementType = Element
}

/// Results, lists, sets and inverse relationships.
///
/// A live collection always shows the present state of its realm, on whose thread, queue or actor alone it may be used.
public protocol RealmCollection: RealmCollectionBase, _Aggregable, Equatable where Iterator == RLMIterator<Element> {
  /// The source of a live collection; nil while unmanaged.
  var _source: ResultsSource? { get }
  /// The same kind of collection with another source.
  static func _moved(_ source: ResultsSource) -> Self
  /// The position of an element; nil when the collection does not contain it. O(*n*).
  func index(of element: Element) -> Int?
  /// The position of the first element for which a condition holds; nil when there is none. O(*n*).
  func index(matching predicateFormat: String, _ args: Any...) -> Int?
}

/// Iterates over the elements that a collection had when the iterator was made. Later changes of the collection have no
/// effect.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let plain: [Element]
  private let rows: [RowKey]
  private let values: [StoredValue]
  private let table: TableID
  private let source: ResultsSource?
  /// The list of the values, when nested collections among them come live.
  private let accessor: CollectionAccessor?
  private var position = 0

  init(_ source: ResultsSource) {
    self.source = source
    plain = []
    table = source.elementAccess?.layout.table ?? TableID(-1)
    switch source.current {
    case .rows(let found): (rows, values) = (found, [])
    case .values(let found): (rows, values) = ([], found)
    }
    accessor = source.listAccessor
  }

  init(_ elements: [Element]) {
    source = nil
    accessor = nil
    plain = elements
    (rows, values, table) = ([], [], TableID(-1))
  }

  /// The next element; nil at the end.
  public mutating func next() -> Element? {
    defer { position += 1 }
    guard let source else { return position < plain.count ? plain[position] : nil }
    if position < rows.count { return Element._decoded(.link(table, rows[position]), source.view) }
    guard position < values.count else { return nil }
    guard let accessor else { return Element._decoded(values[position], source.view) }
    return Element._decoded(values[position], in: accessor, .index(position))
  }
}

extension RealmCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }
  /// The next position.
  public func index(after i: Int) -> Int { i + 1 }
  /// The previous position.
  public func index(before i: Int) -> Int { i - 1 }
  /// The first element; nil when there is none.
  public var first: Element? { count > 0 ? self[0] : nil }
  /// The last element; nil when there is none.
  public var last: Element? { count > 0 ? self[count - 1] : nil }
  /// The realm; nil while unmanaged.
  public var realm: Realm? { _source.map { Realm($0.view) } }
  /// Whether this is a frozen copy.
  public var isFrozen: Bool { _source?.view.isFrozen ?? false }

  /// A copy that never changes and may be read from any thread. Unmanaged, the program stops.
  public func freeze() -> Self {
    guard let source = _source else {
      violated("This method may only be called on \(Self.boxName) instances retrieved from an RLMRealm")
    }
    guard !source.view.isFrozen else { return self }
    source.view.checkConfinement()
    return Self._moved(source.view.freezing { source.moved(to: $0) })
  }

  /// The live form on the calling thread; nil when it was deleted since.
  public func thaw() -> Self? {
    let source = managedSource("thawed")
    guard source.view.isFrozen else { return self }
    return source.moved(to: source.view.thawed()).map { Self._moved($0) }
  }

  /// The elements, for people. At most 100 are listed.
  public var description: String { describe(depth: descriptionDepth) }

  /// RealmSwift's name of the collection in its reasons.
  private static var boxName: String {
    let name = String(describing: Self.self).prefix { $0 != "<" }
    return ["List": "RLMArray", "MutableSet": "RLMSet", "Map": "RLMDictionary"][name] ?? String(name)
  }

  func managedSource(_ verb: String) -> ResultsSource {
    guard let source = _source else { violated("This collection is not managed and cannot be \(verb).") }
    return source
  }

  // MARK: Queries

  /// The elements for which a condition holds.
  ///
  ///     people.filter("age > %@ AND name BEGINSWITH 'A'", 18)
  ///
  /// Invalid text, and an unmanaged collection, stop the program. The results are lazy: this call is O(*m*) in the
  /// text.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    filter(predicateFormat, values: args)
  }

  /// The elements for which a condition holds, with its arguments in an array.
  func filter(_ predicateFormat: String, values: [Any]) -> Results<Element> { filter(parsed(predicateFormat, values)) }

  func filter(_ query: ParsedQuery) -> Results<Element> {
    Results(managedSource("filtered").filtered(query))
  }

  /// The elements, sorted by a property, which may lie behind links: `"owner.name"`. Lazy, as all results.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements, sorted by several properties, the first of them primary.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element>
  where S.Iterator.Element == SortDescriptor {
    let source = managedSource("sorted")
    let descriptors = Array(sortDescriptors)
    if source.elementAccess == nil {
      return Results(source.adding(.sortValues(ascending: descriptors.first?.ascending ?? true)))
    }
    for descriptor in descriptors { source.check(descriptor.keyPath, "sort") }
    let keys = descriptors.map { SortKey(QueryPath(names: $0.keyPath), ascending: $0.ascending) }
    return Results(source.adding(.query(ParsedQuery().sorted(by: keys))))
  }

  /// The first element of each group with equal values of some properties, in the present order.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == String {
    let source = managedSource("made distinct")
    if source.elementAccess == nil { return Results(source.adding(.distinctValues)) }
    let names = Array(keyPaths)
    for name in names { source.check(name, "distinct") }
    return Results(source.adding(.query(ParsedQuery().distinct(by: names))))
  }

  /// The position of the first element for which a condition holds; nil when there is none. Invalid text stops the
  /// program. O(*n*).
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    index(matching: parsed(predicateFormat, args))
  }

  func index(matching query: ParsedQuery) -> Int? {
    guard let source = _source else { return unmanagedIndex(matching: query) }
    guard let access = source.elementAccess else { return valueIndex(matching: query, source) }
    return source.view.reading(or: nil) {
      let plan: QueryPlan
      do {
        plan = try QueryPlan(
          query, className: access.layout.name, schema: QuerySchema(source.view.querySchema), dialect: .nspredicate)
      } catch { violated("Invalid query on '\(access.layout.name)': \(error)") }
      let found = source.querySource
      return try source.rows.firstIndex { try plan.matches($0.rawValue, in: found) }
    }
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// The elements, sorted.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }

  /// The distinct elements.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

/// A key to sort by.
public struct SortDescriptor: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// A property, or properties joined by dots through single links.
  public let keyPath: String
  /// Whether lesser values come first.
  public let ascending: Bool

  /// A key to sort by.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// A key to sort by.
  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The opposite order.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }

  /// Key path and direction, for people.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}
