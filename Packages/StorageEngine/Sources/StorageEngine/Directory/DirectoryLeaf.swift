import CStorageSupport
import Synchronization

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
  /// Places of clusters that were looked at and fit their table.
  let slots: KeptArray<NodeSlot>
  /// Where those clusters lay when they were found.
  private let hints: ClusterHints
  /// The table that read the page first; -1 for none.
  private let table = Atomic<Int>(-1)

  init(nodes: [Int64]) {
    self.nodes = nodes
    slots = KeptArray(count: nodes.count)
    hints = ClusterHints()
  }

  private init(nodes: [Int64], following earlier: DirectoryLeaf) {
    self.nodes = nodes
    slots = KeptArray(count: nodes.count, following: earlier.slots) { nodes[$0] == earlier.nodes[$0] }
    hints = earlier.hints
  }

  override var byteCost: Int { 96 + Self.width * 16 + nodes.count * 16 }

  /// The place in memory of the cluster at `entry`; nil where no row lives.
  @inline(__always) func slot(_ entry: Int, _ loader: NodeLoader) -> NodeSlot? {
    guard entry < nodes.count else { return nil }
    if let slot = slots[entry] { return slot.takeUnretainedValue() }
    let node = nodes[entry]
    return node == 0 ? nil : loader.cache.slot(node)
  }

  func keep(_ slot: NodeSlot, at entry: Int, _ cluster: Cluster) {
    _ = slots.set(entry, slot)
    hints.note(cluster, at: entry)
  }

  /// Asks the processor to bring nearer what reading a row of the cluster at `entry` touches.
  @inline(__always) func prefetch(_ entry: Int, _ cells: CellPlaces, row slot: Int) {
    guard entry < slots.count else { return }
    if let place = slots[entry] { storage_prefetch(place.toOpaque(), 64) }
    hints.prefetch(entry, cells, row: slot)
  }

  /// Whether no other table reads the page.
  func belongs(to id: TableID) -> Bool {
    let (isFirst, owner) = table.compareExchange(expected: -1, desired: id.rawValue, ordering: .relaxed)
    return isFirst || owner == id.rawValue
  }

  /// This page with other nodes at some entries; places of unchanged ones are taken over.
  func replacing(_ changes: ArraySlice<DirectoryOverlay.Entry>) -> DirectoryLeaf {
    var nodes = self.nodes
    for change in changes {
      while nodes.count <= change.entry { nodes.append(0) }
      nodes[change.entry] = change.node
    }
    while nodes.last == 0 { nodes.removeLast() }
    return DirectoryLeaf(nodes: nodes, following: self)
  }
}

extension DirectoryLeaf: DecodableNode {
  static var kind: NodeKind { .directoryLeaf }

  func encoded() -> NodeWriter { DirectoryPage.encoded(.directoryLeaf, nodes) }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> DirectoryLeaf {
    DirectoryLeaf(nodes: try DirectoryPage.children(&reader, id: id, limit: width))
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

  func encoded() -> NodeWriter { DirectoryPage.encoded(.directoryBranch, leaves) }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> DirectoryBranch {
    DirectoryBranch(leaves: try DirectoryPage.children(&reader, id: id, limit: width))
  }
}

/// The content of both kinds of pages: how many children, and their numbers, 0 where no row lives.
private enum DirectoryPage {
  static func encoded(_ kind: NodeKind, _ children: [Int64]) -> NodeWriter {
    var writer = NodeWriter(kind)
    writer.count(children.count)
    IntegerBlock.encode(children, into: &writer)
    return writer
  }

  static func children(_ reader: inout NodeReader, id: Int64, limit: Int) throws -> [Int64] {
    let children = try IntegerBlock.decode(&reader, count: try reader.count(limit: limit))
    try reader.finish()
    guard children.allSatisfy({ $0 >= 0 && $0 < id }) else { throw reader.damage("a child is impossible") }
    return children
  }
}
