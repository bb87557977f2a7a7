extension TreeReader {
  /// Calls `body` with the node numbers of every page, children first.
  func forEachNode(_ body: (Int64) throws -> Void) throws {
    guard let slot, let node = try rootNode() else { return }
    try forEachNode(slot.id, node, body)
  }

  private func forEachNode(_ id: Int64, _ node: TreeNode<Block>, _ body: (Int64) throws -> Void) throws {
    for index in node.children.indices { try forEachNode(node.children[index], try node.child(index, loader), body) }
    if let patch = node.patch { try body(patch.full) }
    try body(id)
  }

  /// Checks order, separators, counts and the delta; returns the number of entries.
  ///
  /// - Complexity: O(n).
  func check() throws -> Int {
    var previous: Block.Key?
    var count = 0
    try forEach(from: nil) { block, index in
      let key = block.key(index)
      if let previous, !Block.isBefore(previous, key) { throw damage("entries are out of order") }
      previous = key
      count += 1
      return true
    }
    if let node = try rootNode() { try checkPages(node) }
    guard count == self.count else { throw damage("the number of entries is wrong") }
    let removed = delta.removed
    for index in 0..<removed.count {
      guard try isInTree(removed.key(index)) else { throw damage("what is removed was not there") }
    }
    return count
  }

  private func checkPages(_ node: TreeNode<Block>) throws {
    for index in node.children.indices {
      let child = try node.child(index, loader)
      guard child.total == node.counts[index] else { throw damage("the count of a page is wrong") }
      guard index == 0 || !Block.isBefore(child.block.key(0), node.block.key(index)) else {
        throw damage("a separator is wrong")
      }
      try checkPages(child)
    }
  }

  private func damage(_ what: String) -> StorageError {
    StorageError(.corrupt, "The tree at node \(root.node) is damaged: \(what). Restore the file from a backup.")
  }
}
