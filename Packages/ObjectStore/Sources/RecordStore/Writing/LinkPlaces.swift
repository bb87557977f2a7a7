import StorageEngine

/// Where the links of one list or dictionary stand, for deleting their targets one by one: found once, kept while
/// elements only go through ``remove(at:)``, and made again when it turns out to be out of date.
///
/// - Complexity: O(n) to make, O(log n) per removal.
struct LinkPlaces {
  /// Elements by number, or entries by key.
  enum Place: Hashable {
    /// The position that an element had when the places were found.
    case element(Int)
    case entry([UInt8])
  }

  private(set) var places: [ClassRow: [Place]] = [:]
  /// How many elements went, by their first positions, as a binary indexed tree.
  private var gone: [Int] = [0]

  init(elements: [StoredValue]) {
    for (position, element) in elements.enumerated() { add(element, .element(position)) }
    gone = Array(repeating: 0, count: elements.count + 1)
  }

  init(entries: [(key: [UInt8], value: StoredValue)]) {
    for (key, value) in entries { add(value, .entry(key)) }
  }

  private mutating func add(_ value: StoredValue, _ place: Place) {
    for link in value.links {
      let target = ClassRow(table: link.table, row: link.row)
      if places[target]?.last != place { places[target, default: []].append(place) }
    }
  }

  /// The position of the element that was at `first`.
  func position(_ first: Int) -> Int {
    var (position, at) = (first, first)
    while at > 0 {
      position -= gone[at]
      at -= at & -at
    }
    return position
  }

  /// The element that was at `first` goes.
  mutating func remove(at first: Int) {
    var at = first + 1
    while at < gone.count {
      gone[at] += 1
      at += at & -at
    }
  }

  /// The places of links to a row, which go.
  mutating func take(_ target: ClassRow) -> [Place] { places.removeValue(forKey: target) ?? [] }
}
