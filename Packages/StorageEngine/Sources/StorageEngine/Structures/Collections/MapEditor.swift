/// Changes one map within a write transaction: a small one in place, a large one as a tree with pending edits. For one
/// thread at a time.
final class MapEditor {
  let store: NodeStore
  private var block = BytesBlock()
  private var tree: TreeWriter<BytesBlock>?

  init(_ cell: MapCell, store: NodeStore) {
    self.store = store
    switch cell {
    case .inline(let block): self.block = block
    case .tree(let root): tree = TreeWriter(root, store: store)
    }
  }

  var reader: StoredMap { StoredMap(source: tree.map { .writer($0) } ?? .inline(block)) }

  /// Sets the content under `key`, or removes it when nil.
  func set(_ key: [UInt8], _ content: [UInt8]?) throws {
    if let tree { return try tree.add(key, content, hash: KeyHash.of(key)) }
    let at = block.lowerBound(key)
    let isThere = at < block.count && block.compare(at, key) == 0
    var changed = BytesBlock(room: block.count + 1, bytes: block.byteCount + key.count + (content?.count ?? 0))
    changed.append(0..<at, of: block)
    if let content { changed.append(key, content) }
    changed.append((isThere ? at + 1 : at)..<block.count, of: block)
    block = changed
    guard block.cost > inlineCollectionLimit else { return }
    let tree = TreeWriter<BytesBlock>(TreeRoot(), store: store)
    for index in 0..<block.count {
      try tree.add(block.key(index), block.content(index), hash: KeyHash.of(block.key(index)))
    }
    self.tree = tree
    block = BytesBlock()
  }

  func removeAll() throws {
    try tree?.removeAll()
    tree = nil
    block = BytesBlock()
  }

  /// The cell, with the changes.
  var cell: MapCell {
    get throws {
      guard let tree else { return .inline(block) }
      let root = try tree.current().root
      return root.count > 0 ? .tree(root) : .empty
    }
  }

  /// Writes the changed pages; returns the content for the cell.
  func finish() throws -> [UInt8] { try cell.content }
}
