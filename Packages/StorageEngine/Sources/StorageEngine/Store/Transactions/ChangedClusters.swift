/// The clusters of one table that a transaction changed, by number.
struct ChangedClusters {
  /// A changed cluster: in memory, or written out, or both once the transaction commits; neither when it has no rows.
  struct Change {
    var cluster: Cluster?
    var written: NodeSlot?
  }

  private var changes: [Int: Change] = [:]

  var isEmpty: Bool { changes.isEmpty }

  /// Ascending.
  ///
  /// - Complexity: O(n log n).
  var indexes: [Int] { changes.keys.sorted() }

  /// The change of a cluster; nil for an unchanged one. A cluster that was changed stays so: nil is not set.
  subscript(index: Int) -> Change? {
    get { changes[index] }
    set { changes[index] = newValue }
  }

  /// The results of `body` for every change, ascending by cluster number; `body` may change the change.
  mutating func map<R>(_ body: (_ index: Int, _ change: inout Change) throws -> R) rethrows -> [R] {
    try indexes.map { try body($0, &changes[$0, default: Change()]) }
  }

  mutating func removeAll() { changes.removeAll() }
}
