// Indexes of kind ``IndexKind/int``.
extension IndexReader {
  /// The least row with this key, or nil.
  public func firstRow(_ key: Int64) throws -> RowKey? {
    switch source {
    case .int(let tree): return try firstRow(key, tree)
    case .intWriter(let writer):
      guard !writer.pending.isEmpty else { return try firstRow(key, writer.stale) }
      return try overlaidRows(key, writer).min().map { RowKey($0) }
    default: return nil
    }
  }

  private func firstRow(_ key: Int64, _ tree: TreeReader<IntBlock>) throws -> RowKey? {
    let row = try tree.first(from: IntKey(number: key, row: .min)) { block, index in
      block.numbers[index] == key ? block.rows[index] : nil
    }
    return row.flatMap { $0 }.map { RowKey($0) }
  }

  /// Rows in the tree and in what waits to be merged into it.
  private func overlaidRows(_ key: Int64, _ writer: TreeWriter<IntBlock>) throws -> [Int64] {
    var decided: [(row: Int64, isThere: Bool)] = []
    let isComplete = writer.pending.forEach(hash: IndexKeys.hash(key), limit: Self.overlayLimit) { entry, content in
      if entry.number == key, !decided.contains(where: { $0.row == entry.row }) {
        decided.append((entry.row, content != nil))
      }
      return true
    }
    guard isComplete else { return try plainRows(key, try writer.current()) }
    let rows = writer.stale.count == 0 ? [] : try plainRows(key, writer.stale)
    if decided.isEmpty { return rows }
    return rows.filter { row in !decided.contains { $0.row == row } } + decided.filter(\.isThere).map(\.row)
  }

  private func plainRows(_ key: Int64, _ tree: TreeReader<IntBlock>) throws -> [Int64] {
    var rows: [Int64] = []
    try tree.forEach(from: IntKey(number: key, row: .min)) { block, index in
      guard block.numbers[index] == key else { return false }
      rows.append(block.rows[index])
      return true
    }
    return rows
  }

  /// Whether the entry exists.
  public func contains(_ key: Int64, row: RowKey) throws -> Bool {
    switch source {
    case .int(let tree): return try contains(key, row, tree)
    case .intWriter(let writer):
      var found: Bool?
      let isComplete = writer.pending.forEach(hash: IndexKeys.hash(key), limit: Self.overlayLimit) { entry, content in
        guard entry.number == key, entry.row == row.rawValue else { return true }
        found = content != nil
        return false
      }
      if let found { return found }
      return try contains(key, row, isComplete ? writer.stale : try writer.current())
    default: return false
    }
  }

  private func contains(_ key: Int64, _ row: RowKey, _ tree: TreeReader<IntBlock>) throws -> Bool {
    try tree.contains(IntKey(number: key, row: row.rawValue))
  }

  /// The rows with this key, ascending.
  public func rows(_ key: Int64) throws -> [RowKey] {
    switch source {
    case .int(let tree): try plainRows(key, tree).map { RowKey($0) }
    case .intWriter(let writer): try overlaidRows(key, writer).sorted().map { RowKey($0) }
    default: []
    }
  }

  /// How many rows have this key.
  public func count(_ key: Int64) throws -> Int { try count(in: key...key) }

  /// How many rows have a key in the range.
  public func count(in range: ClosedRange<Int64>) throws -> Int {
    guard let tree = try intTree() else { return 0 }
    let end =
      range.upperBound == .max
      ? tree.count : try tree.rank(IntKey(number: range.upperBound + 1, row: .min))
    return end - (try tree.rank(IntKey(number: range.lowerBound, row: .min)))
  }

  /// Calls `body` with the entries whose key is in the range, until it returns false. The index must not be changed
  /// meanwhile.
  public func forEach(
    in range: ClosedRange<Int64>, _ direction: Direction = .ascending, _ body: (Int64, RowKey) throws -> Bool
  ) throws {
    guard let tree = try intTree() else { return }
    switch direction {
    case .ascending:
      try tree.forEach(from: IntKey(number: range.lowerBound, row: .min)) { block, index in
        let number = block.numbers[index]
        return try number <= range.upperBound && body(number, RowKey(block.rows[index]))
      }
    case .descending:
      try tree.forEachDescending(from: IntKey(number: range.upperBound, row: .max)) { block, index in
        let number = block.numbers[index]
        return try number >= range.lowerBound && body(number, RowKey(block.rows[index]))
      }
    }
  }
}
