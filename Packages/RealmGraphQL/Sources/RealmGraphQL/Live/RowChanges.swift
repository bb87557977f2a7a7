import QueryLanguage

/// The way from one list of rows to another: positions that go, and positions that are new.
///
/// A row that moved is deleted and inserted; of several ways the one with the fewest moves is taken.
struct RowChanges: Hashable {
  /// Positions before, ascending.
  var deletions: [Int] = []
  /// Positions now, ascending.
  var insertions: [Int] = []
  /// Positions now of rows that stayed, ascending.
  var kept: [Int] = []

  /// - Complexity: O(*n* log *n*) in the rows.
  init(from old: [QueryRow], to new: [QueryRow]) {
    var before: [QueryRow: Int] = [:]
    for (position, row) in old.enumerated() { before[row] = position }
    // Positions before of the rows of `new` that were there, in their new order: the longest ascending run of them stays.
    let pairs = new.enumerated().compactMap { now, row in before[row].map { (now: now, before: $0) } }
    let staying = Self.longestAscending(pairs.map(\.before))
    var stays = Array(repeating: false, count: new.count)
    var stayed = Array(repeating: false, count: old.count)
    for index in staying {
      stays[pairs[index].now] = true
      stayed[pairs[index].before] = true
    }
    deletions = old.indices.filter { !stayed[$0] }
    insertions = new.indices.filter { !stays[$0] }
    kept = new.indices.filter { stays[$0] }
  }

  /// The positions of a longest strictly ascending subsequence.
  private static func longestAscending(_ values: [Int]) -> [Int] {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(values.indices) }
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for index in values.indices {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < values[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result: [Int] = []
    var at = tails.last ?? -1
    while at >= 0 {
      result.append(at)
      at = previous[at]
    }
    return result.reversed()
  }
}
