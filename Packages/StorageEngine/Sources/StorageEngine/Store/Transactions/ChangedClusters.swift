/// The clusters of one table that a transaction changed, by number. Most transactions change one, which needs no
/// allocation.
struct ChangedClusters {
  /// A changed cluster: in memory, or written out, or both once the transaction commits; neither when it has no rows.
  struct Change {
    var cluster: Cluster?
    var written: NodeSlot?
  }

  private var first: (index: Int, change: Change)?
  private var others: [Int: Change] = [:]

  var isEmpty: Bool { first == nil }

  /// Ascending.
  var indexes: [Int] {
    guard let first else { return [] }
    return others.isEmpty ? [first.index] : (others.keys + [first.index]).sorted()
  }

  /// The change of a cluster; nil for an unchanged one.
  subscript(index: Int) -> Change? {
    get {
      guard let first else { return nil }
      return first.index == index ? first.change : others[index]
    }
    set {
      guard let newValue else { preconditionFailure("a cluster that was changed stays so") }
      if let first, first.index != index { others[index] = newValue } else { first = (index, newValue) }
    }
  }

  /// The results of `body` for every change, ascending by cluster number; `body` may change the change.
  mutating func map<R>(_ body: (_ index: Int, _ change: inout Change) throws -> R) rethrows -> [R] {
    guard let (index, old) = first else { return [] }
    guard others.isEmpty else {
      return try indexes.map { index in
        guard var change = self[index] else { preconditionFailure("every number has a change") }
        defer { self[index] = change }
        return try body(index, &change)
      }
    }
    var change = old
    let result = try body(index, &change)
    first = (index, change)
    return [result]
  }

  mutating func removeAll() { self = ChangedClusters() }
}
