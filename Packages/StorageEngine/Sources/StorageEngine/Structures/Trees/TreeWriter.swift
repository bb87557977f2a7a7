/// The limits of trees of every kind.
enum TreeWriterLimits {
  /// Pending edits that a look-up of one key visits before it merges them.
  static let lookup = 256
}

/// A tree within a write transaction: the stored tree, its delta, and pending edits. For one thread at a time.
final class TreeWriter<Block: TreeBlock> {
  let store: NodeStore
  private(set) var root: TreeRoot { didSet { forget() } }
  private(set) var delta: TreeDelta<Block> { didSet { forget() } }
  /// Facts about root and delta, computed once.
  private var known = Known()
  /// Finds rows in root and delta of an index of integers, while both are as the transaction found them.
  private(set) var lookup: IntLookup?
  // Unchecked, both: every edit uses them, always on the one thread of the transaction. Serves store.insert-1m.
  @exclusivity(unchecked) private(set) var pending = PendingEdits<Block>()
  @exclusivity(unchecked) private(set) var isChanged = false
  /// Whether small changes may stay in the delta.
  private let hasDelta: Bool
  /// See ``known``. Its size does not depend on the key type, so that a writer is destroyed without asking for types.
  private struct Known {
    var reader: TreeReader<Block>?
    /// The greatest key of a delta and its tree, or none; nil before it was asked for.
    var last: [Block.Key]?
  }

  /// Pending edits above which they are merged, to bound the memory.
  static var pendingLimit: Int { 1 << 21 }

  /// A tree without a delta.
  init(_ root: TreeRoot, store: NodeStore) {
    self.root = root
    self.store = store
    delta = TreeDelta()
    hasDelta = false
  }

  /// A tree whose small changes stay in the delta.
  ///
  /// - Parameter lookup: finds rows in tree and delta.
  init(_ root: TreeRoot, _ delta: TreeDelta<Block>, lookup: IntLookup? = nil, store: NodeStore) {
    self.lookup = lookup
    self.root = root
    self.store = store
    self.delta = delta
    hasDelta = true
  }

  private func forget() { (known, lookup) = (Known(), nil) }

  func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) throws {
    isChanged = true
    pending.add(key, content, hash: hash)
    if pending.count >= Self.pendingLimit { try flush() }
  }

  /// Merges the pending edits into the delta, and applies the excess of the delta to the tree.
  func flush() throws {
    guard !pending.isEmpty else { return }
    var edits = pending.sorted()
    pending.removeAll()
    let isSmall = edits.count <= TreeDelta<Block>.limit
    guard hasDelta, try isSmall || areScattered(edits) else {
      root = try TreeEditor(store: store, edits: TreeEdit.merged(delta.edits[...], edits[...])).apply(to: root)
      delta = TreeDelta()
      return
    }
    // An edit that agrees with the tree only removes a change from the delta.
    let tree = stored
    var undone: [TreeEdit<Block>] = []
    try edits.removeAll { edit in
      guard try tree.isInTree(edit.key) == (edit.content != nil) else { return false }
      undone.append(edit)
      return true
    }
    delta = delta.without(undone).merged(with: edits)
    if isSmall ? delta.exceedsLimit : delta.exceedsLargeLimit { try shrinkDelta(isSmall) }
  }

  /// Whether edits of a transaction are so scattered that each would rewrite a page for itself.
  private func areScattered(_ edits: [TreeEdit<Block>]) throws -> Bool {
    guard edits.count * 4 <= Block.largeDelta, edits.count * 16 <= root.count, let first = edits.first else {
      return false
    }
    return try !isBeyond(first.key)
  }

  /// Shrinks a large delta towards the limit of small commits, step by step.
  func shrinkLargeDelta() throws {
    guard pending.isEmpty, delta.exceedsLimit else { return }
    isChanged = true
    try shrinkDelta(true)
  }

  /// Applies neighbouring entries of the delta, which share pages, until few are left.
  ///
  ///
  /// - Parameter isSmall: whether the transaction is small, so that it applies a bounded share only.
  private func shrinkDelta(_ isSmall: Bool) throws {
    let edits = delta.edits
    let count =
      isSmall
      ? min(max(edits.count - TreeDelta<Block>.rest, edits.count / 4), TreeDelta<Block>.limit)
      : max(edits.count - Block.largeDelta * 3 / 4, edits.count / 4)
    // A different start each time, so that every entry is applied eventually.
    let start = Int(truncatingIfNeeded: store.next &* 7919 & 0xFFFF_FFFF) % (edits.count - count + 1)
    let end = start + count
    root = try TreeEditor(store: store, edits: Array(edits[start..<end])).apply(to: root)
    delta = TreeDelta(edits: edits[..<start] + edits[end...])
  }

  /// The stored tree and its delta, without pending edits.
  var stored: TreeReader<Block> {
    if let reader = known.reader { return reader }
    let reader = TreeReader(root, delta, loader: store.loader, slot: lookup?.slot)
    known.reader = reader
    return reader
  }

  /// Whether every key, pending ones included, is before `key`. False where that is not known.
  func isBeyond(_ key: Block.Key) throws -> Bool {
    guard Block.keepsGreatest else { return false }
    if let greatest = pending.greatest, !Block.isBefore(greatest, key) { return false }
    guard let last = try lastKey() else { return true }
    return Block.isBefore(last, key)
  }

  private func lastKey() throws -> Block.Key? {
    if let last = known.last { return last.first }
    var last: [Block.Key] = []
    try stored.forEachDescending(from: nil) { block, index in
      last.append(block.key(index))
      return false
    }
    known.last = last
    return last.first
  }

  /// Calls `body` with the pending edits of that hash, newest first, until it returns false; visits at most `limit`
  /// edits.
  ///
  /// - Returns: whether all edits of the hash were visited, or `body` returned false.
  func forEachPending(hash: UInt32, limit: Int, _ body: (Block.Key, Block.Content?) -> Bool) -> Bool {
    pending.forEach(hash: hash, limit: limit, body)
  }

  /// The tree with all pending edits merged.
  func current() throws -> TreeReader<Block> {
    try flush()
    return stored
  }

  /// Retires all pages.
  func removeAll() throws {
    isChanged = true
    pending.removeAll()
    var ids: [Int64] = []
    try stored.forEachNode { ids.append($0) }
    for id in ids { try store.retire(id) }
    root = TreeRoot()
    delta = TreeDelta()
  }
}
