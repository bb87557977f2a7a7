/// The sizes of the segments of a list, each followed by one element that nobody touches: a binary indexed tree.
///
///     segment 0  |  segment 1  |  segment 2        | are the elements between
struct SegmentSizes {
  private(set) var sizes: [Int32]
  private var sums: [Int32]
  private let top: Int

  init(_ sizes: [Int32]) {
    self.sizes = sizes
    sums = Array(repeating: 0, count: sizes.count + 1)
    var top = 1
    while top * 2 <= sizes.count { top *= 2 }
    self.top = top
    for (number, size) in sizes.enumerated() {
      sums[number + 1] += size + 1
      let next = (number + 1) + ((number + 1) & -(number + 1))
      if next < sums.count { sums[next] += sums[number + 1] }
    }
  }

  /// The segment that an index of the whole list lies in, and the index in it. The place behind the last element of a
  /// segment belongs to that segment.
  func locate(_ index: Int32) -> (segment: Int, index: Int32) {
    var segment = 0
    var rest = index
    var step = top
    while step > 0 {
      let next = segment + step
      if next < sums.count, sums[next] <= rest {
        segment = next
        rest -= sums[next]
      }
      step /= 2
    }
    return (min(segment, sizes.count - 1), rest)
  }

  /// The index in the whole list at which a segment begins.
  func start(of segment: Int) -> Int32 {
    var sum: Int32 = 0
    var number = segment
    while number > 0 {
      sum += sums[number]
      number -= number & -number
    }
    return sum
  }

  mutating func grow(_ segment: Int, by delta: Int32) {
    guard delta != 0 else { return }
    sizes[segment] += delta
    var number = segment + 1
    while number < sums.count {
      sums[number] += delta
      number += number & -number
    }
  }
}
