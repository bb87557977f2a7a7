/// A sorted run of entries: the content of a leaf of a tree, and, as separators, of an inner page.
protocol TreeBlock: Sendable {
  associatedtype Key: Sendable
  associatedtype Content: Sendable

  static var kind: NodeKind { get }
  /// The kind of patches of leaves.
  static var patchKind: NodeKind { get }
  /// A page is split when it has more entries than this, or costs more bytes than ``maximumCost``.
  static var maximumCount: Int { get }
  static var maximumCost: Int { get }
  /// Whether ``PendingEdits`` maintains its greatest key, so that keys beyond it need no search.
  static var keepsGreatest: Bool { get }
  /// Entries that transactions of many scattered edits leave in a delta at most.
  static var largeDelta: Int { get }
  /// The content of separators.
  static var noContent: Content { get }

  /// An empty run with room for about so many entries; 0 when that is not known.
  init(room: Int)
  var count: Int { get }
  /// Its size in bytes, about.
  var cost: Int { get }
  func key(_ index: Int) -> Key
  func content(_ index: Int) -> Content
  /// Below 0 when the entry is before `key`, above 0 when it is after it.
  func compare(_ index: Int, _ key: Key) -> Int
  /// The index of the first entry at or after `key`.
  func lowerBound(_ key: Key) -> Int
  mutating func append(_ key: Key, _ content: Content)
  mutating func append(_ range: Range<Int>, of other: Self)
  func encode(into writer: inout NodeWriter)
  static func decode(_ reader: inout NodeReader, count: Int) throws -> Self
  static func isBefore(_ left: Key, _ right: Key) -> Bool
  /// The positions of edits in the ascending order of their keys; stable for equal keys.
  static func order(_ edits: [PendingEdit<Self>]) -> [Int32]
  /// The run after edits, which are ascending.
  func merged(with edits: ArraySlice<TreeEdit<Self>>) -> Self
}

extension TreeBlock {
  init() { self.init(room: 0) }

  /// A binary search.
  func lowerBound(_ key: Key) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if compare(middle, key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// In an inner page: the index of the child that `key` belongs to.
  func childIndex(_ key: Key) -> Int {
    let bound = lowerBound(key)
    return bound < count && compare(bound, key) == 0 ? bound : max(bound - 1, 0)
  }

  func merged(with edits: ArraySlice<TreeEdit<Self>>) -> Self { mergedByParts(edits) }

  /// The run after edits, merged entry by entry.
  func mergedByParts(_ edits: ArraySlice<TreeEdit<Self>>) -> Self {
    var merged = Self(room: count + edits.count)
    var at = 0
    let areFew = edits.count * 16 < count
    for edit in edits {
      var end = areFew ? max(lowerBound(edit.key), at) : at
      while end < count, compare(end, edit.key) < 0 { end += 1 }
      merged.append(at..<end, of: self)
      at = end < count && compare(end, edit.key) == 0 ? end + 1 : end
      if let content = edit.content { merged.append(edit.key, content) }
    }
    merged.append(at..<count, of: self)
    return merged
  }

  var exceedsPage: Bool { count > Self.maximumCount || cost > Self.maximumCost && count > 1 }
}
