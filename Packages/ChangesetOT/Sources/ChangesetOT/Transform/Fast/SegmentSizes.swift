/// The sizes of the segments of a list. One element that neither side touches separates each segment from the next.
///
///     segment 0  |  segment 1  |  segment 2        | are the elements between
struct SegmentSizes {
  private(set) var sizes: [Int32]
  /// The sizes, each with the element that follows the segment.
  private var tree: FenwickTree

  init(_ sizes: [Int32]) {
    self.sizes = sizes
    tree = FenwickTree(sizes.lazy.map { $0 + 1 })
  }

  /// The segment of an index of the whole list, and the index in the segment. The index just behind the last element of a
  /// segment belongs to that segment. O(log *n*).
  func locate(_ index: Int32) -> (segment: Int, index: Int32) {
    let (segment, rest) = tree.locate(index)
    return (min(segment, sizes.count - 1), rest)
  }

  /// The index of the whole list at which a segment begins. O(log *n*).
  func start(of segment: Int) -> Int32 { tree.sum(before: segment) }

  mutating func grow(_ segment: Int, by delta: Int32) {
    guard delta != 0 else { return }
    sizes[segment] += delta
    tree.add(delta, at: segment)
  }
}
