/// Applies sorted edits to a tree, writing each touched page once.
///
/// - Complexity: O(log n) pages for one edit; for many, a merge with the leaves that they fall into.
struct TreeEditor<Block: TreeBlock> {
  /// A page that was just written, or one that is unchanged.
  private struct Child {
    var key: Block.Key
    var id: Int64
    var count: Int
    /// Whether the page was just written and may be joined with a neighbour.
    var isSmall = false
    /// The slot of the page in the cache, if it is known.
    var slot: NodeSlot?
  }

  let store: NodeStore
  let edits: [TreeEdit<Block>]

  /// - Parameter edits: ascending, no key twice.
  init(store: NodeStore, edits: [TreeEdit<Block>]) {
    self.store = store
    self.edits = edits
  }

  func apply(to root: TreeRoot) throws -> TreeRoot {
    guard !edits.isEmpty else { return root }
    var level = 0
    var children: [Child]
    if root.node == 0 {
      children = try write(leaf: Block().merged(with: edits[...]), isAppend: false)
    } else {
      let node = try store.loader.node(root.node, TreeNode<Block>.self)
      level = node.level
      children = []
      try rewrite(node, id: root.node, 0..<edits.count, into: &children)
    }
    while children.count > 1 {
      level += 1
      children = try write(level: level, children)
    }
    guard var top = children.first else { return TreeRoot() }
    while level > 0 {
      let node = try store.loader.node(top.id, TreeNode<Block>.self)
      guard node.level > 0, node.children.count == 1 else { break }
      try store.retire(top.id)
      top.id = node.children[0]
      level -= 1
    }
    return TreeRoot(node: top.id, count: top.count)
  }

  /// Applies edits to a page, which is retired, and appends the pages that take its place.
  private func rewrite(
    _ node: TreeNode<Block>, id: Int64, _ range: Range<Int>, into pages: inout [Child]
  ) throws {
    if node.level == 0 { return try rewrite(leaf: node, id: id, edits[range], into: &pages) }
    var children: [Child] = []
    children.reserveCapacity(node.children.count + 8)
    // Whether every child was replaced by one that begins with the same key.
    var isSame = true
    var at = range.lowerBound
    for index in node.children.indices {
      var end = range.upperBound
      if index + 1 < node.children.count {
        end = at
        while end < range.upperBound, node.block.compare(index + 1, edits[end].key) > 0 { end += 1 }
      }
      if at == end {
        children.append(
          Child(
            key: node.block.key(index), id: node.children[index], count: node.counts[index],
            slot: node.slots[index]?.takeUnretainedValue()))
      } else {
        let place = children.count
        try rewrite(try node.child(index, store.loader), id: node.children[index], at..<end, into: &children)
        isSame = isSame && children.count == place + 1 && node.block.compare(index, children[place].key) == 0
      }
      at = end
    }
    try store.retire(id)
    try joinSmall(&children, level: node.level - 1)
    guard isSame, children.count == node.children.count else {
      pages += try write(level: node.level, children)
      return
    }
    pages.append(try write(level: node.level, children[...], separators: node.block))
  }

  private func rewrite(
    leaf: TreeNode<Block>, id: Int64, _ edits: ArraySlice<TreeEdit<Block>>, into pages: inout [Child]
  ) throws {
    let merged = leaf.block.merged(with: edits)
    if !merged.exceedsPage, let patch = LeafPatch(of: leaf, id: id, edits, count: merged.count) {
      pages.append(try write(TreeNode(leaf: merged, patch: patch), count: merged.count))
      if leaf.patch != nil { try store.retire(id) }
      return
    }
    let last = leaf.block.count - 1
    let isAppend = edits.last.map { leaf.block.compare(last, $0.key) <= 0 } ?? false
    pages += try write(leaf: merged, isAppend: isAppend)
    try retire(leaf, id: id)
  }

  private func write(leaf block: Block, isAppend: Bool) throws -> [Child] {
    try pieces(of: block, isAppend: isAppend).map { try write(TreeNode(leaf: $0), count: $0.count) }
  }

  /// Retires a page with the node that it patches.
  private func retire(_ node: TreeNode<Block>, id: Int64) throws {
    try store.retire(id)
    if let patch = node.patch { try store.retire(patch.full) }
  }

  /// Cuts a run into pages: full ones when entries arrive in order or in bulk, else halves.
  private func pieces(of block: Block, isAppend: Bool) -> [Block] {
    guard block.count > 0 else { return [] }
    guard block.exceedsPage else { return [block] }
    let byCount = (block.count + Block.maximumCount - 1) / Block.maximumCount
    let byCost = Block.maximumCost == .max ? 1 : (block.cost + Block.maximumCost - 1) / Block.maximumCost
    let pageCount = max(byCount, byCost, 2)
    var size = (block.count + pageCount - 1) / pageCount
    if isAppend, byCount >= byCost { size = Block.maximumCount }
    var result: [Block] = []
    var start = 0
    while start < block.count {
      var piece = Block(room: size)
      piece.append(start..<min(start + size, block.count), of: block)
      result.append(piece)
      start += size
    }
    return result.flatMap { $0.exceedsPage && $0.count > 1 ? pieces(of: $0, isAppend: false) : [$0] }
  }

  private func write(_ node: TreeNode<Block>, count: Int) throws -> Child {
    let slot = try store.write(node.encoded(), decoded: node)
    return Child(key: node.block.key(0), id: slot.id, count: count, isSmall: node.isSmall, slot: slot)
  }

  /// Writes an inner page.
  private func write(level: Int, _ children: ArraySlice<Child>, separators: Block) throws -> Child {
    let node = TreeNode(
      level: level, separators: separators, children: children.map(\.id), counts: children.map(\.count))
    for (index, child) in children.enumerated() {
      if let slot = child.slot { _ = node.slots.set(index, slot) }
    }
    return try write(node, count: children.reduce(0) { $0 + $1.count })
  }

  private func write(level: Int, _ children: [Child]) throws -> [Child] {
    var result: [Child] = []
    var separators = Block()
    var start = 0
    func finish(_ end: Int) throws {
      result.append(try write(level: level, children[start..<end], separators: separators))
      separators = Block()
      start = end
    }
    guard !children.isEmpty else { return [] }
    // Pages of equal size, none above the limit.
    let pageCount = (children.count + Block.maximumCount - 1) / Block.maximumCount
    let size = max((children.count + pageCount - 1) / pageCount, 2)
    for (index, child) in children.enumerated() {
      separators.append(child.key, Block.noContent)
      let isFull = index + 1 - start >= size || separators.cost > Block.maximumCost && index - start >= 1
      if isFull { try finish(index + 1) }
    }
    if start < children.count { try finish(children.count) }
    return result
  }

  /// Joins small pages with a neighbour.
  private func joinSmall(_ children: inout [Child], level: Int) throws {
    var index = 0
    while index < children.count, children.count > 1 {
      guard children[index].isSmall else {
        index += 1
        continue
      }
      let left = index > 0 ? index - 1 : index
      let (first, second) = (children[left], children[left + 1])
      let firstNode = try store.loader.node(first.id, TreeNode<Block>.self)
      let secondNode = try store.loader.node(second.id, TreeNode<Block>.self)
      var block = firstNode.block
      block.append(0..<secondNode.block.count, of: secondNode.block)
      if block.exceedsPage {
        index += 1
        continue
      }
      let joined =
        level == 0
        ? TreeNode(leaf: block)
        : TreeNode(
          level: level, separators: block, children: firstNode.children + secondNode.children,
          counts: firstNode.counts + secondNode.counts)
      var child = try write(joined, count: first.count + second.count)
      child.key = first.key
      try retire(firstNode, id: first.id)
      try retire(secondNode, id: second.id)
      children.replaceSubrange(left...left + 1, with: CollectionOfOne(child))
      index = left
    }
  }
}
