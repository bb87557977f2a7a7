public import Foundation

/// What sectioned results and their sections have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {}

/// The elements of a collection in sections, each of the elements with one key: live, and in the order of the
/// collection.
///
///     let people = realm.objects(Person.self).sectioned(by: \.initial)
///     people.allKeys              // ["A", "B"]
///     people[0].map(\.name)       // ["Ada", "Anna"]
///
/// - Complexity: the first access after a change is O(*n*) in the elements, later ones O(1).
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult, CustomStringConvertible
{
  public typealias Element = ResultsSection<Key, SectionElement>
  let source: SectionedSource<Key, SectionElement>

  /// The keys of the sections, in order.
  public var allKeys: [Key] { source.sections.map(\.key) }
  /// The number of sections.
  public var count: Int { source.sections.count }
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// A section by its number.
  public subscript(_ index: Int) -> Element { Element(source: source, key: source.section(index).key) }

  /// An element by the number of its section and its position there.
  public subscript(_ indexPath: IndexPath) -> SectionElement { self[indexPath.section][indexPath.item] }

  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(sections: allKeys.map { Element(source: source, key: $0) })
  }

  public var realm: Realm? { Realm(source.view) }
  public var isInvalidated: Bool { source.elements.isInvalidated }
  public var isFrozen: Bool { source.view.isFrozen }

  public func freeze() -> SectionedResults {
    guard !isFrozen else { return self }
    return SectionedResults(source: source.view.freezing { source.moved(to: $0) })
  }

  public func thaw() -> SectionedResults? {
    guard isFrozen else { return self }
    return source.moved(to: source.view.thawed()).map { SectionedResults(source: $0) }
  }

  public var description: String {
    "SectionedResults (\n" + map { "\($0)" }.joined(separator: ",\n") + "\n)"
  }

  /// Whether both are sections of the same query by the same key.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool { left.source === right.source }
}

/// One section: the elements with one key. Follows its key: empty while there is no such section.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>:
  RealmSectionedResult, Identifiable, CustomStringConvertible
{
  public typealias Element = T
  let source: SectionedSource<Key, T>
  /// What the elements have in common.
  public let key: Key
  /// The key.
  public var id: Key { key }

  init(source: SectionedSource<Key, T>, key: Key) {
    self.source = source
    self.key = key
  }

  private var positions: [Int] { source.number(of: key).map { source.section($0).positions } ?? [] }

  public var count: Int { positions.count }
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(_ index: Int) -> T {
    let positions = self.positions
    checkPosition(index, of: positions.count)
    return source.element(positions[index])
  }

  public func makeIterator() -> SectionIterator<T> { SectionIterator(elements: positions.map { source.element($0) }) }

  public var realm: Realm? { Realm(source.view) }
  public var isInvalidated: Bool { source.elements.isInvalidated }
  public var isFrozen: Bool { source.view.isFrozen }

  public func freeze() -> ResultsSection {
    guard !isFrozen else { return self }
    return ResultsSection(source: source.view.freezing { source.moved(to: $0) }, key: key)
  }

  public func thaw() -> ResultsSection? {
    guard isFrozen else { return self }
    return source.moved(to: source.view.thawed()).map { ResultsSection(source: $0, key: key) }
  }

  public var description: String {
    "\t\(key) (\n" + map { "\t\t\($0)" }.joined(separator: ",\n") + "\n\t)"
  }

  public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
    left.source === right.source && left.key == right.key
  }
}

/// Walks over sections.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, Element: RealmCollectionValue>: IteratorProtocol {
  private var sections: IndexingIterator<[ResultsSection<Key, Element>]>
  init(sections: [ResultsSection<Key, Element>]) { self.sections = sections.makeIterator() }
  public mutating func next() -> ResultsSection<Key, Element>? { sections.next() }
}

/// Walks over the elements that a section had when the walk began.
public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var elements: IndexingIterator<[Element]>
  init(elements: [Element]) { self.elements = elements.makeIterator() }
  public mutating func next() -> Element? { elements.next() }
}

extension IndexPath {
  /// The place of an element in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The place of an element in a section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The number of the section.
  public var section: Int { self[0] }
  /// The position in the section.
  public var item: Int { self[1] }
  /// The position in the section.
  public var row: Int { self[1] }
}
