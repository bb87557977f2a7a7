/// A tree within a write transaction: what the file has, and edits that wait to be merged into it.
final class TreeWriter<Block: TreeBlock> {
  let store: NodeStore
  private(set) var root: TreeRoot
  private(set) var pending = PendingEdits<Block>()
  private(set) var isChanged = false
  /// Edits are merged when this many wait, so that memory stays bounded.
  static var pendingLimit: Int { 1 << 21 }

  init(_ root: TreeRoot, store: NodeStore) {
    self.root = root
    self.store = store
  }

  func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) throws {
    isChanged = true
    pending.add(key, content, hash: hash)
    if pending.count >= Self.pendingLimit { try flush() }
  }

  /// Merges what waits into the tree.
  func flush() throws {
    guard !pending.isEmpty else { return }
    let edits = pending.sorted()
    pending.removeAll()
    root = try TreeEditor(store: store, edits: edits).apply(to: root)
  }

  /// The tree without what waits.
  var stale: TreeReader<Block> { TreeReader(root, loader: store.loader) }

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
  }
}
