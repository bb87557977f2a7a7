// Indexes of kind ``IndexKind/bytes``.
extension IndexReader {
  /// The least row with this key; nil when there is none, and for the other kind of index.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func firstRow(_ key: [UInt8]) throws -> RowKey? {
    switch source {
    case .bytes(let tree): return try firstRow(key, tree)
    case .bytesWriter(let writer):
      guard !writer.pending.isEmpty else { return try firstRow(key, writer.stored) }
      return try mergedRows(key, writer).min()
    default: return nil
    }
  }

  private func firstRow(_ key: [UInt8], _ tree: TreeReader<BytesBlock>) throws -> RowKey? {
    let entry = try tree.first(from: IndexKeys.prefix(key) + [0, 0]) { block, index in block.key(index) }
    guard let entry, let (found, row) = IndexKeys.split(entry), found == key else { return nil }
    return row
  }

  private func mergedRows(_ key: [UInt8], _ writer: TreeWriter<BytesBlock>) throws -> [RowKey] {
    let prefix = IndexKeys.prefix(key) + [0, 0]
    var decided: [(entry: [UInt8], isThere: Bool)] = []
    let isComplete = writer.forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) { entry, content in
      if entry.count == prefix.count + 8, entry.starts(with: prefix), !decided.contains(where: { $0.entry == entry }) {
        decided.append((entry, content != nil))
      }
      return true
    }
    guard isComplete else {
      return try plainEntries(prefix, try writer.current()).compactMap { IndexKeys.split($0)?.row }
    }
    var entries = writer.stored.count == 0 ? [] : try plainEntries(prefix, writer.stored)
    if !decided.isEmpty {
      entries = entries.filter { entry in !decided.contains { $0.entry == entry } }
      entries += decided.filter(\.isThere).map(\.entry)
    }
    return entries.compactMap { IndexKeys.split($0)?.row }
  }

  private func plainEntries(_ prefix: [UInt8], _ tree: TreeReader<BytesBlock>) throws -> [[UInt8]] {
    var entries: [[UInt8]] = []
    try tree.forEach(from: prefix) { block, index in
      let entry = block.key(index)
      guard entry.starts(with: prefix) else { return false }
      entries.append(entry)
      return true
    }
    return entries
  }

  /// Whether the entry exists.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func contains(_ key: [UInt8], row: RowKey) throws -> Bool {
    let entry = IndexKeys.entry(key, row)
    switch source {
    case .bytes(let tree): return try contains(entry, tree)
    case .bytesWriter(let writer):
      var found: Bool?
      let isComplete = writer.forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) { other, content in
        guard other == entry else { return true }
        found = content != nil
        return false
      }
      if let found { return found }
      return try contains(entry, isComplete ? writer.stored : try writer.current())
    default: return false
    }
  }

  private func contains(_ entry: [UInt8], _ tree: TreeReader<BytesBlock>) throws -> Bool {
    try tree.contains(entry)
  }

  /// The rows with this key, ascending.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k rows.
  public func rows(_ key: [UInt8]) throws -> [RowKey] {
    switch source {
    case .bytes(let tree):
      try plainEntries(IndexKeys.prefix(key) + [0, 0], tree).compactMap { IndexKeys.split($0)?.row }
    case .bytesWriter(let writer): try mergedRows(key, writer).sorted()
    default: []
    }
  }

  /// The number of rows with this key.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func count(_ key: [UInt8]) throws -> Int {
    guard let tree = try bytesTree() else { return 0 }
    let prefix = IndexKeys.prefix(key)
    return try tree.rank(prefix + [0, 1]) - tree.rank(prefix + [0, 0])
  }

  /// Calls `body` with the entries whose key begins with `prefix`, until it returns false. The index must not be
  /// changed meanwhile.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k entries.
  public func forEach(
    prefix: [UInt8], _ direction: Direction = .ascending, _ body: ([UInt8], RowKey) throws -> Bool
  ) throws {
    let lower = IndexKeys.prefix(prefix)
    try scan(lower, IndexKeys.successor(lower), direction, body)
  }

  /// Calls `body` with the entries from `lower` to `upper`, both included and nil meaning no bound, until it returns
  /// false. The index must not be changed meanwhile.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k entries.
  public func forEach(
    from lower: [UInt8]?, through upper: [UInt8]?, _ direction: Direction = .ascending,
    _ body: ([UInt8], RowKey) throws -> Bool
  ) throws {
    try scan(
      lower.map { IndexKeys.prefix($0) + [0, 0] } ?? [], upper.map { IndexKeys.prefix($0) + [0, 1] }, direction, body)
  }

  /// Calls `body` with the entries from `lower` on and before `end`.
  private func scan(
    _ lower: [UInt8], _ end: [UInt8]?, _ direction: Direction, _ body: ([UInt8], RowKey) throws -> Bool
  ) throws {
    guard let tree = try bytesTree() else { return }
    switch direction {
    case .ascending:
      try tree.forEach(from: lower) { block, index in
        if let end, block.compare(index, end) >= 0 { return false }
        return try report(block.key(index), body)
      }
    case .descending:
      try tree.forEachDescending(from: end) { block, index in
        if let end, block.compare(index, end) >= 0 { return true }
        if block.compare(index, lower) < 0 { return false }
        return try report(block.key(index), body)
      }
    }
  }

  private func report(_ entry: [UInt8], _ body: ([UInt8], RowKey) throws -> Bool) throws -> Bool {
    guard let (key, row) = IndexKeys.split(entry) else {
      throw StorageError(
        .corrupt, "An index holds an entry without a row. Restore the file from a backup or its server.")
    }
    return try body(key, row)
  }
}
