/// A tree within a write transaction: what the file has, and edits that wait to be merged into it.
final class TreeWriter<Block: TreeBlock> {
  let store: NodeStore
  // Unchecked: every edit looks at these, which one thread reads or writes at once.
  @exclusivity(unchecked) private(set) var root: TreeRoot { didSet { forget() } }
  @exclusivity(unchecked) private(set) var overlay: TreeOverlay<Block> { didSet { forget() } }
  /// What was found out about root and overlay.
  @exclusivity(unchecked) private var known = Known()
  /// Finds rows in root and overlay of an index of integers, as long as these are what the transaction began with.
  @exclusivity(unchecked) private(set) var lookup: IntLookup?
  @exclusivity(unchecked) private(set) var pending = PendingEdits<Block>()
  @exclusivity(unchecked) private(set) var isChanged = false
  /// Whether small changes may stay in the overlay.
  private let hasOverlay: Bool
  /// See ``known``. All of it has one size whatever the keys are, so that a writer ends without asking for types.
  private struct Known {
    var reader: TreeReader<Block>?
    /// The greatest key of an overlay and its tree, or none.
    var last: [Block.Key]?
  }

  /// Edits are merged when this many wait, so that memory stays bounded.
  static var pendingLimit: Int { 1 << 21 }

  /// A tree without an overlay.
  init(_ root: TreeRoot, store: NodeStore) {
    self.root = root
    self.store = store
    overlay = TreeOverlay()
    hasOverlay = false
  }

  /// A tree whose small changes stay beside the root.
  ///
  /// - Parameter lookup: finds rows in both.
  init(_ root: TreeRoot, _ overlay: TreeOverlay<Block>, lookup: IntLookup? = nil, store: NodeStore) {
    self.lookup = lookup
    self.root = root
    self.store = store
    self.overlay = overlay
    hasOverlay = true
  }

  private func forget() { (known, lookup) = (Known(), nil) }

  func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) throws {
    isChanged = true
    pending.add(key, content, hash: hash)
    if pending.count >= Self.pendingLimit { try flush() }
  }

  /// Merges what waits into the overlay, and of that into the tree what is too much.
  func flush() throws {
    guard !pending.isEmpty else { return }
    var edits = pending.sorted()
    pending.removeAll()
    let isSmall = edits.count <= TreeOverlay<Block>.limit
    guard hasOverlay, try isSmall || areScattered(edits) else {
      root = try TreeEditor(store: store, edits: TreeEdit.merged(overlay.edits[...], edits[...])).apply(to: root)
      overlay = TreeOverlay()
      return
    }
    // An edit that says what the tree says only takes away from the overlay.
    let tree = stale
    var undone: [TreeEdit<Block>] = []
    try edits.removeAll { edit in
      guard try tree.isInTree(edit.key) == (edit.content != nil) else { return false }
      undone.append(edit)
      return true
    }
    overlay = overlay.without(undone).merged(with: edits)
    if isSmall ? overlay.exceedsLimit : overlay.exceedsWideLimit { try shrinkOverlay(isSmall) }
  }

  /// Whether edits of a transaction fall so far apart that each would rewrite a page for itself.
  private func areScattered(_ edits: [TreeEdit<Block>]) throws -> Bool {
    guard edits.count * 4 <= Block.wideOverlay, edits.count * 16 <= root.count, let first = edits.first else {
      return false
    }
    return try !isBeyond(first.key)
  }

  /// Leaves small commits an overlay that fits the root with the rest, step by step.
  func narrow() throws {
    guard pending.isEmpty, overlay.exceedsLimit else { return }
    isChanged = true
    try shrinkOverlay(true)
  }

  /// Puts neighbouring entries into the tree, which share pages, until few are left.
  ///
  /// - Parameter isSmall: whether the transaction is small, and is not to pay for many that others left.
  private func shrinkOverlay(_ isSmall: Bool) throws {
    let edits = overlay.edits
    let count =
      isSmall
      ? min(max(edits.count - TreeOverlay<Block>.rest, edits.count / 4), TreeOverlay<Block>.limit)
      : max(edits.count - Block.wideOverlay * 3 / 4, edits.count / 4)
    // Another place each time, so that every entry gets its turn.
    let start = Int(truncatingIfNeeded: store.next &* 7919 & 0xFFFF_FFFF) % (edits.count - count + 1)
    let end = start + count
    root = try TreeEditor(store: store, edits: Array(edits[start..<end])).apply(to: root)
    overlay = TreeOverlay(edits: edits[..<start] + edits[end...])
  }

  /// The tree without what waits.
  var stale: TreeReader<Block> {
    if let reader = known.reader { return reader }
    let reader = TreeReader(root, overlay, loader: store.loader, slot: lookup?.slot)
    known.reader = reader
    return reader
  }

  /// Whether every key, also of what waits, is before `key`. False where that is not known.
  func isBeyond(_ key: Block.Key) throws -> Bool {
    guard Block.keepsGreatest else { return false }
    if let greatest = pending.greatest, !Block.isBefore(greatest, key) { return false }
    guard let last = try lastKey() else { return true }
    return Block.isBefore(last, key)
  }

  private func lastKey() throws -> Block.Key? {
    if let last = known.last { return last.first }
    var last: [Block.Key] = []
    try stale.forEachDescending(from: nil) { block, index in
      last.append(block.key(index))
      return false
    }
    known.last = last
    return last.first
  }

  /// Calls `body` with the edits of that hash that wait, newest first, until it returns false; at most `limit` are looked
  /// at.
  ///
  /// - Returns: whether the limit was enough.
  @inline(__always)
  func forEachPending(hash: UInt32, limit: Int, _ body: (Block.Key, Block.Content?) -> Bool) -> Bool {
    pending.forEach(hash: hash, limit: limit, body)
  }

  /// The tree with everything in it.
  func current() throws -> TreeReader<Block> {
    try flush()
    return stale
  }

  /// Gives up all pages.
  func removeAll() throws {
    isChanged = true
    pending.removeAll()
    var ids: [Int64] = []
    try stale.forEachNode { ids.append($0) }
    for id in ids { try store.retire(id) }
    root = TreeRoot()
    overlay = TreeOverlay()
  }
}
