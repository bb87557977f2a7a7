/// A binary indexed tree: prefix sums of counts that change one at a time.
///
/// - Complexity: O(log *n*) for every operation, O(*n*) to build.
struct FenwickTree {
  /// The sum of the counts that end at each index, over a range whose length is the lowest bit of the index.
  private var sums: [Int32]
  private let top: Int

  init(_ counts: some Collection<Int32>) {
    sums = Array(repeating: 0, count: counts.count + 1)
    var top = 1
    while top * 2 <= counts.count { top *= 2 }
    self.top = top
    for (index, count) in counts.enumerated() {
      sums[index + 1] += count
      let next = (index + 1) + ((index + 1) & -(index + 1))
      if next < sums.count { sums[next] += sums[index + 1] }
    }
  }

  /// The sum of the counts before an index.
  func sum(before index: Int) -> Int32 {
    var sum: Int32 = 0
    var node = index
    while node > 0 {
      sum += sums[node]
      node -= node & -node
    }
    return sum
  }

  /// The first index whose count reaches beyond a position of the whole, and the position within that count. The number of
  /// counts when the position lies beyond all.
  func locate(_ position: Int32) -> (index: Int, rest: Int32) {
    var index = 0
    var rest = position
    var step = top
    while step > 0 {
      let next = index + step
      if next < sums.count, sums[next] <= rest {
        index = next
        rest -= sums[next]
      }
      step /= 2
    }
    return (index, rest)
  }

  mutating func add(_ delta: Int32, at index: Int) {
    var node = index + 1
    while node < sums.count {
      sums[node] += delta
      node += node & -node
    }
  }
}
