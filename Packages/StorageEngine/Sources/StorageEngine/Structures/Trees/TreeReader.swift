/// Reads a tree together with its delta.
struct TreeReader<Block: TreeBlock> {
  let loader: NodeLoader
  let root: TreeRoot
  let delta: TreeDelta<Block>
  let slot: NodeSlot?

  init(
    _ root: TreeRoot, _ delta: TreeDelta<Block> = TreeDelta(), loader: NodeLoader, slot: NodeSlot? = nil
  ) {
    self.loader = loader
    self.root = root
    self.delta = delta
    self.slot = root.node == 0 ? nil : slot ?? loader.cache.slot(root.node)
  }

  /// The number of entries.
  var count: Int { root.count + delta.inserted.count - delta.removed.count }

  func rootNode() throws -> TreeNode<Block>? {
    try slot.map { try loader.node($0, TreeNode<Block>.self) }
  }

  /// Calls `body` with the first entry at or after `key`.
  func first<R>(from key: Block.Key, _ body: (Block, Int) throws -> R) throws -> R? {
    if delta.isEmpty { return try firstInTree(from: key, body) }
    var result: R?
    try forEach(from: key) { block, index in
      result = try body(block, index)
      return false
    }
    return result
  }

  /// Whether the entry exists.
  func contains(_ key: Block.Key) throws -> Bool {
    try delta.decides(key) ?? isInTree(key)
  }

  /// Whether the tree, without its delta, has the entry.
  func isInTree(_ key: Block.Key) throws -> Bool {
    try firstInTree(from: key) { block, index in block.compare(index, key) == 0 } ?? false
  }

  /// Calls `body` with the first entry at or after `key` in the tree, without its delta.
  func firstInTree<R>(
    from key: Block.Key, _ body: (Block, Int) throws -> R
  ) throws -> R? {
    guard var node = try rootNode() else { return nil }
    // The subtree right of the path, in case the leaf ends before `key`.
    var next: (node: TreeNode<Block>, index: Int)?
    while node.level > 0 {
      let index = node.block.childIndex(key)
      if index + 1 < node.children.count { next = (node, index + 1) }
      node = try node.child(index, loader)
    }
    let index = node.block.lowerBound(key)
    if index < node.block.count { return try body(node.block, index) }
    guard let next else { return nil }
    node = try next.node.child(next.index, loader)
    while node.level > 0 { node = try node.child(0, loader) }
    return node.block.count > 0 ? try body(node.block, 0) : nil
  }

  /// The number of entries before `key`.
  func rank(_ key: Block.Key) throws -> Int {
    if delta.isEmpty { return try rankInTree(key) }
    let change = delta.inserted.lowerBound(key) - delta.removed.lowerBound(key)
    return try rankInTree(key) + change
  }

  private func rankInTree(_ key: Block.Key) throws -> Int {
    guard var node = try rootNode() else { return 0 }
    var rank = 0
    while node.level > 0 {
      let index = node.block.childIndex(key)
      rank += node.counts[..<index].reduce(0, +)
      node = try node.child(index, loader)
    }
    return rank + node.block.lowerBound(key)
  }

  /// Calls `body` with the entries at or after `key` (all when nil), ascending, until it returns false.
  func forEach(from key: Block.Key?, _ body: (Block, Int) throws -> Bool) throws {
    guard !delta.isEmpty else {
      if let node = try rootNode() { _ = try ascend(node, key, body) }
      return
    }
    let inserted = delta.inserted
    var next = key.map { inserted.lowerBound($0) } ?? 0
    var goesOn = true
    if let node = try rootNode() {
      _ = try ascend(node, key) { block, index in
        while next < inserted.count, Block.isBefore(inserted.key(next), block.key(index)) {
          goesOn = try body(inserted, next)
          next += 1
          guard goesOn else { return false }
        }
        if !delta.isRemoved(block, index) { goesOn = try body(block, index) }
        return goesOn
      }
    }
    while goesOn, next < inserted.count {
      goesOn = try body(inserted, next)
      next += 1
    }
  }

  /// Calls `body` with the entries at or before `key` (all when nil), descending, until it returns false.
  func forEachDescending(from key: Block.Key?, _ body: (Block, Int) throws -> Bool) throws {
    let inserted = delta.inserted
    var next = inserted.count - 1
    if let key {
      let bound = inserted.lowerBound(key)
      next = bound < inserted.count && inserted.compare(bound, key) == 0 ? bound : bound - 1
    }
    var goesOn = true
    if let node = try rootNode() {
      _ = try descend(node, key) { block, index in
        while next >= 0, Block.isBefore(block.key(index), inserted.key(next)) {
          goesOn = try body(inserted, next)
          next -= 1
          guard goesOn else { return false }
        }
        if !delta.isRemoved(block, index) { goesOn = try body(block, index) }
        return goesOn
      }
    }
    while goesOn, next >= 0 {
      goesOn = try body(inserted, next)
      next -= 1
    }
  }

  private func ascend(
    _ node: TreeNode<Block>, _ key: Block.Key?, _ body: (Block, Int) throws -> Bool
  ) throws -> Bool {
    if node.level == 0 {
      for index in (key.map { node.block.lowerBound($0) } ?? 0)..<node.block.count {
        guard try body(node.block, index) else { return false }
      }
      return true
    }
    let first = key.map { node.block.childIndex($0) } ?? 0
    for index in first..<node.children.count {
      guard try ascend(try node.child(index, loader), index == first ? key : nil, body) else { return false }
    }
    return true
  }

  private func descend(
    _ node: TreeNode<Block>, _ key: Block.Key?, _ body: (Block, Int) throws -> Bool
  ) throws -> Bool {
    if node.level == 0 {
      var index = node.block.count - 1
      if let key {
        let bound = node.block.lowerBound(key)
        index = bound < node.block.count && node.block.compare(bound, key) == 0 ? bound : bound - 1
      }
      while index >= 0 {
        guard try body(node.block, index) else { return false }
        index -= 1
      }
      return true
    }
    let last = key.map { node.block.childIndex($0) } ?? node.children.count - 1
    for index in stride(from: last, through: 0, by: -1) {
      guard try descend(try node.child(index, loader), index == last ? key : nil, body) else { return false }
    }
    return true
  }

  /// Calls `body` with the entry at `position` in key order, of a tree without a delta; returns nil when out of range.
  func entry<R>(at position: Int, _ body: (Block, Int) throws -> R) throws -> R? {
    guard var node = try rootNode(), position >= 0 else { return nil }
    var rest = position
    while node.level > 0 {
      var index = 0
      while index < node.counts.count, rest >= node.counts[index] {
        rest -= node.counts[index]
        index += 1
      }
      guard index < node.counts.count else { return nil }
      node = try node.child(index, loader)
    }
    return rest < node.block.count ? try body(node.block, rest) : nil
  }
}
