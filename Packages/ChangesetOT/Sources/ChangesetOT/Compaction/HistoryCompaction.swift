/// Shortens a history without changing what it leads to.
///
///     let short = HistoryCompaction.compacted(history, neededFrom: [0, 120])
///     state0.applying(short) == state0.applying(history)
///     state120.applying(short[120...]) == state120.applying(history[120...])
///
/// Instructions whose effect later ones replace are left out: overwritten values, edits of what is cleared or erased,
/// additions that can be one addition. What is left keeps its order, its entry and its origin, so the result is a
/// history like any other: it can be merged with, and since both sides of a merge see the same one, they agree.
public enum HistoryCompaction {
  /// The same number of entries with fewer instructions; entries of which nothing is left are empty.
  ///
  /// - Parameters:
  ///   - history: what was applied, in order.
  ///   - starts: the places in `history`, from 0 to its count, from which somebody may still replay. Entries before
  ///     the smallest are of no use to anybody and come out empty. Without any, all come out empty.
  /// - Returns: a history that leads from each of those places to the same state as the full one.
  /// - Complexity: O(*n*) in the number of instructions.
  public static func compacted(_ history: [Changeset], neededFrom starts: some Sequence<Int>) -> [Changeset] {
    var result = history
    let bounds = Set(starts).filter { $0 >= 0 && $0 <= history.count }.sorted()
    for place in 0..<(bounds.first ?? history.count) { result[place].instructions = [] }
    for (number, start) in bounds.enumerated() {
      let end = number + 1 < bounds.count ? bounds[number + 1] : history.count
      var segment = CompactionSegment()
      for place in (start..<end).reversed() {
        result[place].instructions = segment.compacted(result[place].instructions)
      }
      AdditionFolding.fold(&result[start..<end])
    }
    return result
  }
}
