/// The difference between two sequences: positions removed from the old one, positions inserted into the new one.
///
///     old   a b c d          deletions   [1]       b was removed
///     new   a c x d          insertions  [2]       x was inserted
///
/// Elements that changed places are both. As few elements as possible move: those that stay form the longest
/// increasing run of new positions.
package struct CollectionDiff {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  /// Old and new positions of the elements that stayed, ascending in both.
  package var kept: [(old: Int, new: Int)] = []

  package init<Element: Hashable>(from old: [Element], to new: [Element]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var tail = 0
    while tail < old.count - start, tail < new.count - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    kept = (0..<start).map { ($0, $0) }
    diffMiddle(old, new, start..<old.count - tail, start..<new.count - tail)
    for offset in (0..<tail).reversed() { kept.append((old.count - 1 - offset, new.count - 1 - offset)) }
  }

  private mutating func diffMiddle<Element: Hashable>(
    _ old: [Element], _ new: [Element], _ oldRange: Range<Int>, _ newRange: Range<Int>
  ) {
    // The n-th occurrence of an element in the old sequence is its n-th in the new one.
    var places: [Element: [Int]] = [:]
    for position in newRange.reversed() { places[new[position], default: []].append(position) }
    var matched: [(old: Int, new: Int)] = []
    for position in oldRange {
      if let place = places[old[position]]?.popLast() {
        matched.append((position, place))
      } else {
        deletions.append(position)
      }
    }
    let staying = Self.longestIncreasingRun(matched.map(\.new))
    var isKept = Array(repeating: false, count: matched.count)
    for index in staying { isKept[index] = true }
    var stays = Set<Int>()
    for (index, pair) in matched.enumerated() {
      if isKept[index] {
        kept.append(pair)
        stays.insert(pair.new)
      } else {
        deletions.append(pair.old)
      }
    }
    deletions.sort()
    insertions = newRange.filter { !stays.contains($0) }
  }

  /// Positions of a longest strictly increasing subsequence, ascending. O(*n* log *n*).
  private static func longestIncreasingRun(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for index in values.indices {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < values[index] { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? tails[low - 1] : -1
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: [Int] = []
    var index = tails.last ?? -1
    while index >= 0 {
      run.append(index)
      index = previous[index]
    }
    return run.reversed()
  }
}
