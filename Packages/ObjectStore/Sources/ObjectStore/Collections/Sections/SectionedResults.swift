public import Foundation

/// Sectioned results, and their sections.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {}

/// The elements of a sorted collection, divided into live sections of elements with equal keys.
///
///     let people = realm.objects(Person.self).sectioned(by: \.initial)
///     people.allKeys              // ["A", "B"]
///     people[0].map(\.name)       // ["Ada", "Anna"]
///
/// - Complexity: the first access after a change is O(*n*) in the elements, later ones O(1).
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult, CustomStringConvertible
{
  /// A section.
  public typealias Element = ResultsSection<Key, SectionElement>
  let source: SectionedSource<Key, SectionElement>

  /// The keys of the sections, in order.
  public var allKeys: [Key] { source.sections.map(\.key) }
  /// The number of sections.
  public var count: Int { source.sections.count }
  /// 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  /// A section by its number. A number outside stops the program.
  public subscript(_ index: Int) -> Element { Element(source: source, key: source.section(index).key) }

  /// An element by the number of its section and its position in it.
  public subscript(_ indexPath: IndexPath) -> SectionElement { self[indexPath.section][indexPath.item] }

  /// An iterator over the present sections.
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(sections: allKeys.map { Element(source: source, key: $0) })
  }

  /// The realm.
  public var realm: Realm? { Realm(source.view) }
  /// Whether the object of the sectioned collection was deleted or the realm invalidated.
  public var isInvalidated: Bool { source.elements.isInvalidated }
  /// Whether this is a frozen copy.
  public var isFrozen: Bool { source.view.isFrozen }

  /// A copy that never changes and may be read from any thread.
  public func freeze() -> SectionedResults {
    guard !isFrozen else { return self }
    return SectionedResults(source: source.view.freezing { source.moved(to: $0) })
  }

  /// The live form on the calling thread; nil when it was deleted since.
  public func thaw() -> SectionedResults? {
    guard isFrozen else { return self }
    return source.moved(to: source.view.thawed()).map { SectionedResults(source: $0) }
  }

  /// The sections and their elements, for people.
  public var description: String {
    "SectionedResults (\n" + map { "\($0)" }.joined(separator: ",\n") + "\n)"
  }

  /// Whether both are sections of the same query by the same key.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool { left.source === right.source }
}

/// A section: the elements with one key. Live; empty while no element has the key.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>:
  RealmSectionedResult, Identifiable, CustomStringConvertible
{
  /// The elements of the section.
  public typealias Element = T
  let source: SectionedSource<Key, T>
  /// The key of the elements.
  public let key: Key
  /// The key.
  public var id: Key { key }

  init(source: SectionedSource<Key, T>, key: Key) {
    self.source = source
    self.key = key
  }

  private var positions: [Int] { source.number(of: key).map { source.section($0).positions } ?? [] }

  /// The number of elements in the section.
  public var count: Int { positions.count }
  /// 0.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  /// An element by its position in the section. A position outside stops the program.
  public subscript(_ index: Int) -> T {
    let positions = self.positions
    checkPosition(index, of: positions.count)
    return source.element(positions[index])
  }

  /// An iterator over the present elements, which later changes do not affect.
  public func makeIterator() -> SectionIterator<T> { SectionIterator(elements: positions.map { source.element($0) }) }

  /// The realm.
  public var realm: Realm? { Realm(source.view) }
  /// Whether the object of the sectioned collection was deleted or the realm invalidated.
  public var isInvalidated: Bool { source.elements.isInvalidated }
  /// Whether this is a frozen copy.
  public var isFrozen: Bool { source.view.isFrozen }

  /// A copy that never changes and may be read from any thread.
  public func freeze() -> ResultsSection {
    guard !isFrozen else { return self }
    return ResultsSection(source: source.view.freezing { source.moved(to: $0) }, key: key)
  }

  /// The live form on the calling thread; nil when it was deleted since.
  public func thaw() -> ResultsSection? {
    guard isFrozen else { return self }
    return source.moved(to: source.view.thawed()).map { ResultsSection(source: $0, key: key) }
  }

  /// The key and the elements, for people.
  public var description: String {
    "\t\(key) (\n" + map { "\t\t\($0)" }.joined(separator: ",\n") + "\n\t)"
  }

  /// Whether both are the section of one key in the same sectioned results.
  public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
    left.source === right.source && left.key == right.key
  }
}

/// Iterates over the sections that there were when the iterator was made.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, Element: RealmCollectionValue>: IteratorProtocol {
  private var sections: IndexingIterator<[ResultsSection<Key, Element>]>
  init(sections: [ResultsSection<Key, Element>]) { self.sections = sections.makeIterator() }
  /// The next section; nil at the end.
  public mutating func next() -> ResultsSection<Key, Element>? { sections.next() }
}

/// Iterates over the elements that a section had when the iterator was made.
public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var elements: IndexingIterator<[Element]>
  init(elements: [Element]) { self.elements = elements.makeIterator() }
  /// The next element; nil at the end.
  public mutating func next() -> Element? { elements.next() }
}

extension IndexPath {
  /// The position of an element in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The position of an element in a section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The number of the section.
  public var section: Int { self[0] }
  /// The position in the section.
  public var item: Int { self[1] }
  /// The position in the section.
  public var row: Int { self[1] }
}
