/// A tree within a write transaction: what the file has, and edits that wait to be merged into it.
final class TreeWriter<Block: TreeBlock> {
  let store: NodeStore
  private(set) var root: TreeRoot { didSet { known = (nil, nil) } }
  private(set) var overlay: TreeOverlay<Block> { didSet { known = (nil, nil) } }
  /// What was found out about root and overlay.
  private var known: (reader: TreeReader<Block>?, last: Block.Key??) = (nil, nil)
  private(set) var pending = PendingEdits<Block>()
  private(set) var isChanged = false
  /// Whether small changes may stay in the overlay.
  private let hasOverlay: Bool
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
  init(_ root: TreeRoot, _ overlay: TreeOverlay<Block>, store: NodeStore) {
    self.root = root
    self.store = store
    self.overlay = overlay
    hasOverlay = true
  }

  func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) throws {
    isChanged = true
    pending.add(key, content, hash: hash)
    if pending.count >= Self.pendingLimit { try flush() }
  }

  /// Merges what waits into the overlay, and of that into the tree what is too much.
  func flush() throws {
    guard !pending.isEmpty else { return }
    let edits = pending.sorted()
    pending.removeAll()
    guard hasOverlay, edits.count <= TreeOverlay<Block>.limit else {
      root = try TreeEditor(store: store, edits: TreeEdit.merged(overlay.edits[...], edits[...])).apply(to: root)
      overlay = TreeOverlay()
      return
    }
    // First, because it may take entries out of the overlay.
    let changes = try edits.filter(matters)
    overlay = overlay.merged(with: changes)
    if overlay.exceedsLimit { try shrinkOverlay() }
  }

  /// Whether an edit differs from what the tree alone says; if not, it only takes away from the overlay.
  private func matters(_ edit: TreeEdit<Block>) throws -> Bool {
    let isThere = try TreeReader<Block>(root, loader: store.loader).contains(edit.key)
    if isThere != (edit.content != nil) { return true }
    let isRemoved = overlay.removed.contains(edit.key)
    let isInserted = overlay.inserted.contains(edit.key)
    guard isRemoved || isInserted else { return false }
    overlay = TreeOverlay(
      edits: overlay.edits.filter { Block.isBefore($0.key, edit.key) || Block.isBefore(edit.key, $0.key) })
    return false
  }

  /// Puts neighbouring entries into the tree, which share pages, until few are left.
  private func shrinkOverlay() throws {
    let edits = overlay.edits
    let count = max(edits.count - TreeOverlay<Block>.rest, edits.count / 4)
    // Another place each time, so that every entry gets its turn.
    let start = Int(truncatingIfNeeded: store.next &* 7919 & 0xFFFF_FFFF) % (edits.count - count + 1)
    let end = start + count
    root = try TreeEditor(store: store, edits: Array(edits[start..<end])).apply(to: root)
    overlay = TreeOverlay(edits: edits[..<start] + edits[end...])
  }

  /// The tree without what waits.
  var stale: TreeReader<Block> {
    if let reader = known.reader { return reader }
    let reader = TreeReader(root, overlay, loader: store.loader)
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
    if let last = known.last { return last }
    var last: Block.Key?
    try stale.forEachDescending(from: nil) { block, index in
      last = block.key(index)
      return false
    }
    known.last = .some(last)
    return last
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
