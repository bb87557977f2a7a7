// Rows of one number, in a tree and in pending edits.

extension TreeReader<IntBlock> {
  /// The least row with this key; nil when there is none.
  func firstRow(_ key: Int64) throws -> RowKey? {
    let from = IntKey(number: key, row: .min)
    let found: (IntBlock, Int) -> Int64? = { block, index in block.numbers[index] == key ? block.rows[index] : nil }
    let row = try delta.mentions(key) ? first(from: from, found) : firstInTree(from: from, found)
    return row.flatMap { $0 }.map { RowKey($0) }
  }

  /// The rows with this key, ascending.
  func rows(_ key: Int64) throws -> [Int64] {
    var rows: [Int64] = []
    try forEach(from: IntKey(number: key, row: .min)) { block, index in
      guard block.numbers[index] == key else { return false }
      rows.append(block.rows[index])
      return true
    }
    return rows
  }
}

extension TreeWriter<IntBlock> {
  /// The least row with this key; nil when there is none. Keys beyond all others, as new ids are, cost no search.
  func firstRow(_ key: Int64) throws -> RowKey? {
    if pending.isEmpty { return try storedFirstRow(key) }
    if try isBeyond(IntKey(number: key, row: .min)) { return nil }
    var isPending = false
    let isComplete = forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) { entry, _ in
      isPending = entry.number == key
      return !isPending
    }
    guard isComplete, !isPending else { return try rows(key).min().map { RowKey($0) } }
    return try storedFirstRow(key)
  }

  private func storedFirstRow(_ key: Int64) throws -> RowKey? {
    switch try lookup?.firstRow(key, store.loader) ?? .unknown {
    case .found(let row): return row
    case .absent: return nil
    case .unknown: return try stored.firstRow(key)
    }
  }

  /// The rows with this key, in no order.
  func rows(_ key: Int64) throws -> [Int64] {
    var decided: [(row: Int64, isThere: Bool)] = []
    let isComplete = forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) { entry, content in
      if entry.number == key, !decided.contains(where: { $0.row == entry.row }) {
        decided.append((entry.row, content != nil))
      }
      return true
    }
    guard isComplete else { return try current().rows(key) }
    let rows = stored.count == 0 ? [] : try stored.rows(key)
    if decided.isEmpty { return rows }
    return rows.filter { row in !decided.contains { $0.row == row } } + decided.filter(\.isThere).map(\.row)
  }
}
