import StorageEngine

/// The positions of the links of one list or dictionary, by target, for deleting the targets one by one.
///
/// Valid while elements go only through ``remove(at:)``; the caller makes it again when it finds it out of date.
///
/// - Complexity: O(n) to make, O(log n) per removal.
struct LinkPositions {
  /// Elements by number, or entries by key.
  enum Position: Hashable {
    /// The position that an element had when the places were found.
    case element(Int)
    case entry([UInt8])
  }

  private(set) var positions: [ClassRow: [Position]] = [:]
  /// The number of removed elements by their first positions, as a binary indexed tree.
  private var gone: [Int] = [0]

  init(elements: [StoredValue]) {
    for (position, element) in elements.enumerated() { add(element, .element(position)) }
    gone = Array(repeating: 0, count: elements.count + 1)
  }

  init(entries: [(key: [UInt8], value: StoredValue)]) {
    for (key, value) in entries { add(value, .entry(key)) }
  }

  private mutating func add(_ value: StoredValue, _ position: Position) {
    for link in value.links {
      let target = ClassRow(table: link.table, row: link.row)
      if positions[target]?.last != position { positions[target, default: []].append(position) }
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
  mutating func take(_ target: ClassRow) -> [Position] { positions.removeValue(forKey: target) ?? [] }
}
