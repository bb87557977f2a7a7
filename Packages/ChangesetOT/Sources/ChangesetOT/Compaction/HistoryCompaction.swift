/// Shortens a history without changing what it leads to.
///
///     let short = HistoryCompaction.compacted(history, neededFrom: [0, 120])
///     state0.applying(short) == state0.applying(history)
///     state120.applying(short[120...]) == state120.applying(history[120...])
///
/// Left out are instructions whose effect later ones replace: overwritten values, edits of cleared or erased values, and
/// additions that can be one addition. All others keep their order, entry and origin: the result is a history like any
/// other. A merge converges when both sides use the same history, compacted or not.
public enum HistoryCompaction {
  /// The same number of entries with fewer instructions; entries of which nothing is left are empty.
  ///
  /// - Parameters:
  ///   - history: what was applied, in order.
  ///   - starts: the indices of `history`, from 0 to its count, from which a reader may still replay. Entries before the
  ///     smallest come out empty; without any, all do.
  /// - Returns: a history that leads from each of these indices to the same state as the full one.
  /// - Complexity: O(*n*) in the number of instructions.
  public static func compacted(_ history: [Changeset], neededFrom starts: some Sequence<Int>) -> [Changeset] {
    var result = history
    let bounds = Set(starts).filter { $0 >= 0 && $0 <= history.count }.sorted()
    for index in 0..<(bounds.first ?? history.count) { result[index].instructions = [] }
    for (number, start) in bounds.enumerated() {
      let end = number + 1 < bounds.count ? bounds[number + 1] : history.count
      var compactor = HistoryCompactor()
      for index in (start..<end).reversed() {
        compactor.prepend(result[index], at: Int64(index))
        result[index].instructions = []
      }
      for entry in compactor.finished() { result[Int(entry.position)] = entry.changeset }
    }
    return result
  }
}
