import StorageEngine

/// The sections of a sorted collection, computed at the view's present state and cached until the next change.
final class SectionedSource<Key: Hashable, Element: RealmCollectionValue> {
  /// A section: its key, and the positions of its elements in the collection.
  struct Section {
    let key: Key
    var positions: [Int]
  }

  let elements: ResultsSource
  let key: (Element) -> Key
  private var found: (version: UInt64, sections: [Section], numbers: [Key: Int])?

  init(_ elements: ResultsSource, _ key: @escaping (Element) -> Key) {
    self.elements = elements
    self.key = key
  }

  var view: RealmView { elements.view }

  var sections: [Section] { current.sections }

  /// The number of the section with a key.
  func number(of key: Key) -> Int? { current.numbers[key] }

  private var current: (sections: [Section], numbers: [Key: Int]) {
    if let found, found.version == view.dataVersion { return (found.sections, found.numbers) }
    var sections: [Section] = []
    var numbers: [Key: Int] = [:]
    let count = elements.isInvalidated ? 0 : elements.count
    for position in 0..<count {
      let key = self.key(element(position))
      if let number = numbers[key] {
        sections[number].positions.append(position)
      } else {
        numbers[key] = sections.count
        sections.append(Section(key: key, positions: [position]))
      }
    }
    found = (view.dataVersion, sections, numbers)
    return (sections, numbers)
  }

  func element(_ position: Int) -> Element { Element._decoded(elements.stored(position), view) }

  func section(_ index: Int) -> Section {
    let sections = self.sections
    checkPosition(index, of: sections.count)
    return sections[index]
  }

  func moved(to view: RealmView) -> SectionedSource? { elements.moved(to: view).map { SectionedSource($0, key) } }

  /// The sections with stored elements, to be compared between versions.
  var state: [(key: Key, elements: [StoredValue])] {
    sections.map { section in (section.key, section.positions.map { elements.stored($0) }) }
  }
}
