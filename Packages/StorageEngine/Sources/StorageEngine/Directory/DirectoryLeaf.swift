/// A page of a table's directory: the nodes of up to 64 consecutive clusters.
///
///     row key ──▶ cluster = key / 256 ──▶ leaf = cluster / 64, entry = cluster % 64 ──▶ node ──▶ slot = key % 256
final class DirectoryLeaf: CachedNode, @unchecked Sendable {
  // @unchecked: everything is constant, and the slots are atomics.

  /// A commit of one row rewrites one leaf, so leaves are small.
  static let bits = 6
  static let width = 1 << bits
  static let mask = width - 1

  /// 0 where no row lives.
  let nodes: [Int64]
  let slots: SlotArray

  init(nodes: [Int64]) {
    self.nodes = nodes
    slots = SlotArray(count: nodes.count)
  }

  override var byteCost: Int { 96 + nodes.count * 16 }

  /// The place in memory of the cluster at `entry`; nil where no row lives.
  @inline(__always) func slot(_ entry: Int, _ loader: NodeLoader) -> NodeSlot? {
    guard entry < nodes.count else { return nil }
    if let slot = slots.slot(entry) { return slot }
    let node = nodes[entry]
    return node == 0 ? nil : slots.set(entry, loader.cache.slot(node))
  }

  /// This page with other entries; places of unchanged ones are taken over.
  func replacing(_ changes: [(entry: Int, node: NodeSlot?)]) -> DirectoryLeaf {
    var nodes = self.nodes
    for (entry, node) in changes {
      while nodes.count <= entry { nodes.append(0) }
      nodes[entry] = node?.id ?? 0
    }
    while nodes.last == 0 { nodes.removeLast() }
    let leaf = DirectoryLeaf(nodes: nodes)
    for (entry, node) in changes { if let node, entry < nodes.count { _ = leaf.slots.set(entry, node) } }
    for entry in 0..<min(nodes.count, self.nodes.count) where nodes[entry] == self.nodes[entry] {
      if let slot = slots.slot(entry) { _ = leaf.slots.set(entry, slot) }
    }
    return leaf
  }
}

extension DirectoryLeaf: DecodableNode {
  static var kind: NodeKind { .directoryLeaf }

  func encoded() -> NodeWriter {
    var writer = NodeWriter(.directoryLeaf)
    writer.count(nodes.count)
    IntegerBlock.encode(nodes, into: &writer)
    return writer
  }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> DirectoryLeaf {
    let count = try reader.count(limit: width)
    let nodes = try IntegerBlock.decode(&reader, count: count)
    try reader.finish()
    guard nodes.allSatisfy({ $0 >= 0 && $0 < id }) else { throw reader.damage("a child is impossible") }
    return DirectoryLeaf(nodes: nodes)
  }
}

/// A page over up to 64 leaves, in directories of more than ``Directory/directLimit`` leaves.
final class DirectoryBranch: CachedNode, DecodableNode, @unchecked Sendable {
  // @unchecked: everything is constant.
  static let width = 64
  let leaves: [Int64]

  init(leaves: [Int64]) { self.leaves = leaves }

  override var byteCost: Int { 96 + leaves.count * 8 }
  static var kind: NodeKind { .directoryBranch }

  func encoded() -> NodeWriter {
    var writer = NodeWriter(.directoryBranch)
    writer.count(leaves.count)
    IntegerBlock.encode(leaves, into: &writer)
    return writer
  }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> DirectoryBranch {
    let count = try reader.count(limit: width)
    let leaves = try IntegerBlock.decode(&reader, count: count)
    try reader.finish()
    guard leaves.allSatisfy({ $0 >= 0 && $0 < id }) else { throw reader.damage("a child is impossible") }
    return DirectoryBranch(leaves: leaves)
  }
}
