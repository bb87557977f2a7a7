/// One page of a tree: a leaf of entries, or an inner page of children with the first key of each.
final class TreeNode<Block: TreeBlock>: CachedNode, @unchecked Sendable {
  // @unchecked: everything is constant, and the slots are atomics.
  /// 0 for a leaf.
  let level: Int
  let block: Block
  let children: [Int64]
  /// Entries below each child.
  let counts: [Int]
  /// The slots of the children in the cache.
  let slots: OnceArray<NodeSlot>
  /// The children themselves, retained by this page, where they are inner pages, which are few.
  let pages: OnceArray<TreeNode<Block>>
  /// The dense leaves below a page above leaves, in an index of integers.
  let denseLeaves: DenseLeaves
  /// The patch by which the page is stored; nil for a page stored whole.
  let patch: LeafPatch<Block>?
  private let cost: Int

  init(leaf block: Block, patch: LeafPatch<Block>? = nil) {
    level = 0
    self.block = block
    self.patch = patch
    cost = 192 + block.cost + block.count * 6 + (patch?.changes.cost ?? 0)
    children = []
    counts = []
    slots = OnceArray(count: 0)
    pages = OnceArray(count: 0)
    denseLeaves = DenseLeaves(count: 0)
  }

  init(level: Int, separators: Block, children: [Int64], counts: [Int]) {
    self.level = level
    block = separators
    self.children = children
    self.counts = counts
    patch = nil
    cost = 192 + separators.cost + separators.count * 6 + children.count * 32
    slots = OnceArray(count: children.count)
    pages = OnceArray(count: level > 1 ? children.count : 0)
    denseLeaves = DenseLeaves(count: level == 1 && Block.self == IntBlock.self ? children.count : 0)
  }

  override var byteCost: Int { cost }

  /// Whether the page has room for several pages like it.
  var isSmall: Bool { block.count < Block.maximumCount / 4 && block.cost < Block.maximumCost / 4 }

  /// Entries at and below this page.
  var total: Int { level == 0 ? block.count : counts.reduce(0, +) }

  /// The child at an index of ``children``.
  func child(_ index: Int, _ loader: NodeLoader) throws -> TreeNode<Block> {
    if level > 1 { return try page(index, loader)._withUnsafeGuaranteedRef { $0 } }
    if let node = slots[index]?._withUnsafeGuaranteedRef({ $0.peek() }) as? TreeNode<Block>, node.level == level - 1 {
      return node
    }
    return try childSlowly(index, loader)
  }

  /// The child at an index of ``children``, of a page above inner pages. Valid while this page lives,
  /// which retains it. Serves store.key-lookups.
  func page(_ index: Int, _ loader: NodeLoader) throws -> Unmanaged<TreeNode<Block>> {
    if let page = pages[index] { return page }
    return Unmanaged.passUnretained(pages.set(index, try childSlowly(index, loader)))
  }

  @inline(never) private func childSlowly(_ index: Int, _ loader: NodeLoader) throws -> TreeNode<Block> {
    let slot = slots[index]?.takeUnretainedValue() ?? slots.set(index, loader.cache.slot(children[index]))
    let node = try loader.node(slot, TreeNode<Block>.self)
    guard node.level == level - 1 else {
      throw StorageError(
        .corrupt, "Node \(slot.id) stands at the wrong height. Restore the file from a backup or its server.")
    }
    return node
  }
}

// The content of a whole tree node: level (1 byte), entries (varint), the block; and of an inner page the children's
// numbers and counts, each an ``IntegerRunCoding``.
extension TreeNode: DecodableNode {
  static var kind: NodeKind { Block.kind }
  static var patchKind: NodeKind? { Block.patchKind }
  /// Entries that a decoded page has at most.
  static var countLimit: Int { 1 << 16 }

  func encoded() -> NodeWriter {
    if let patch {
      var writer = NodeWriter(Block.patchKind)
      writer.count(Int(patch.full))
      patch.changes.encode(into: &writer)
      return writer
    }
    var writer = NodeWriter(Block.kind, capacity: min(block.cost, 1 << 16) + children.count * 12 + 64)
    writer.byte(UInt8(level))
    writer.count(block.count)
    block.encode(into: &writer)
    if level > 0 {
      IntegerRunCoding.encode(children, into: &writer)
      IntegerRunCoding.encode(counts.map { Int64($0) }, into: &writer)
    }
    return writer
  }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> TreeNode<Block> {
    let level = Int(try reader.byte())
    let count = try reader.count(limit: countLimit)
    guard count > 0, level < 64 else { throw reader.damage("a page is empty or too high") }
    let block = try Block.decode(&reader, count: count)
    guard level > 0 else {
      try reader.finish()
      return TreeNode(leaf: block)
    }
    let children = try IntegerRunCoding.decode(&reader, count: count)
    let counts = try IntegerRunCoding.decode(&reader, count: count)
    try reader.finish()
    guard children.allSatisfy({ $0 > 0 && $0 < id }), counts.allSatisfy({ $0 > 0 && $0 < 1 << 40 }) else {
      throw reader.damage("a child is impossible")
    }
    return TreeNode(level: level, separators: block, children: children, counts: counts.map { Int($0) })
  }
}
