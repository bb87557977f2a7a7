// Indexes of kind ``IndexKind/int``.
extension IndexReader {
  /// The least row with this key; nil when there is none, and for the other kind of index.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func firstRow(_ key: Int64) throws -> RowKey? {
    switch source {
    case .int(let tree): try tree.firstRow(key)
    case .intWriter(let writer): try writer.firstRow(key)
    default: nil
    }
  }

  /// Whether the entry exists.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func contains(_ key: Int64, row: RowKey) throws -> Bool {
    switch source {
    case .int(let tree): return try contains(key, row, tree)
    case .intWriter(let writer):
      var found: Bool?
      let isComplete = writer.forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) { entry, content in
        guard entry.number == key, entry.row == row.rawValue else { return true }
        found = content != nil
        return false
      }
      if let found { return found }
      return try contains(key, row, isComplete ? writer.stored : try writer.current())
    default: return false
    }
  }

  private func contains(_ key: Int64, _ row: RowKey, _ tree: TreeReader<IntBlock>) throws -> Bool {
    try tree.contains(IntKey(number: key, row: row.rawValue))
  }

  /// The rows with this key, ascending.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k rows.
  public func rows(_ key: Int64) throws -> [RowKey] {
    switch source {
    case .int(let tree): try tree.rows(key).map { RowKey($0) }
    case .intWriter(let writer): try writer.rows(key).sorted().map { RowKey($0) }
    default: []
    }
  }

  /// The number of rows with this key.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func count(_ key: Int64) throws -> Int { try count(in: key...key) }

  /// The number of rows with a key in the range.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func count(in range: ClosedRange<Int64>) throws -> Int {
    guard let tree = try intTree() else { return 0 }
    let end =
      range.upperBound == .max
      ? tree.count : try tree.rank(IntKey(number: range.upperBound + 1, row: .min))
    return end - (try tree.rank(IntKey(number: range.lowerBound, row: .min)))
  }

  /// Calls `body` with the entries whose key is in the range, until it returns false. The index must not be changed
  /// meanwhile.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k entries.
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
