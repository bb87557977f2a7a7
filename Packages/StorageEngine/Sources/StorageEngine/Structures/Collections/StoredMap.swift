/// The entries of one map cell, for reading: values under byte strings, ordered as `memcmp` orders them. Valid while
/// the snapshot or transaction that it came from is.
///
/// A dictionary stores its values under the UTF-8 of its keys; a set stores ``StoredValue/null`` under the encoding of
/// its elements.
///
/// - Complexity: look-ups are O(log n); a walk is O(n).
public struct StoredMap {
  enum Source {
    case inline(BytesBlock)
    case tree(TreeReader<BytesBlock>)
    case writer(TreeWriter<BytesBlock>)
  }

  let source: Source

  init(_ cell: MapCell, loader: NodeLoader) {
    switch cell {
    case .inline(let block): source = .inline(block)
    case .tree(let root): source = .tree(TreeReader(root, loader: loader))
    }
  }

  init(source: Source) { self.source = source }

  /// The number of entries.
  ///
  /// - Throws: ``StorageError`` when pending edits of a write transaction cannot be merged.
  public var count: Int {
    get throws {
      switch source {
      case .inline(let block): block.count
      case .tree(let tree): tree.root.count
      case .writer(let writer): try writer.current().root.count
      }
    }
  }

  /// The value under `key`, or nil when there is none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func value(for key: [UInt8]) throws -> StoredValue? {
    try content(for: key).map { try $0.withUnsafeBytes { try StoredValueCoding.decode($0) } }
  }

  func content(for key: [UInt8]) throws -> [UInt8]? {
    switch source {
    case .inline(let block):
      let index = block.lowerBound(key)
      return index < block.count && block.compare(index, key) == 0 ? block.content(index) : nil
    case .tree(let tree): return try content(for: key, in: tree)
    case .writer(let writer):
      var found: [UInt8]??
      let isComplete = writer.forEachPending(hash: KeyHash.of(key), limit: TreeWriterLimits.lookup) {
        other, content in
        if other == key { found = .some(content) }
        return other != key
      }
      if let found { return found }
      return try content(for: key, in: isComplete ? writer.stored : try writer.current())
    }
  }

  private func content(for key: [UInt8], in tree: TreeReader<BytesBlock>) throws -> [UInt8]? {
    try tree.first(from: key) { block, index in block.compare(index, key) == 0 ? block.content(index) : nil } ?? nil
  }

  /// The entry at `position` in key order.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func entry(at position: Int) throws -> (key: [UInt8], value: StoredValue) {
    let count = try self.count
    precondition(position >= 0 && position < count, "a map position is below the count")
    switch source {
    case .inline(let block): return try Self.entry(block, position)
    case .tree(let tree): return try entry(at: position, in: tree)
    case .writer(let writer): return try entry(at: position, in: try writer.current())
    }
  }

  private func entry(at position: Int, in tree: TreeReader<BytesBlock>) throws -> (key: [UInt8], value: StoredValue) {
    guard let entry = try tree.entry(at: position, Self.entry) else { throw StoredList.damage }
    return entry
  }

  private static func entry(_ block: BytesBlock, _ index: Int) throws -> (key: [UInt8], value: StoredValue) {
    (block.key(index), try block.content(index).withUnsafeBytes { try StoredValueCoding.decode($0) })
  }

  /// Calls `body` with every entry, keys ascending, until it returns false.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(n).
  public func forEach(_ body: ([UInt8], StoredValue) throws -> Bool) throws {
    func report(_ block: BytesBlock, _ index: Int) throws -> Bool {
      let (key, value) = try Self.entry(block, index)
      return try body(key, value)
    }
    switch source {
    case .inline(let block):
      for index in 0..<block.count {
        guard try report(block, index) else { return }
      }
    case .tree(let tree): try Self.forEach(in: tree, report)
    case .writer(let writer): try Self.forEach(in: try writer.current(), report)
    }
  }

  private static func forEach(in tree: TreeReader<BytesBlock>, _ body: (BytesBlock, Int) throws -> Bool) throws {
    var count = 0
    var isWhole = true
    try tree.forEach(from: nil) { block, index in
      count += 1
      isWhole = try body(block, index)
      return isWhole
    }
    guard !isWhole || count == tree.count else { throw StoredList.damage }
  }
}
