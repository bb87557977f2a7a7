import CStorageSupport
import Synchronization

/// A leaf of a cluster map: the nodes of up to 64 consecutive clusters.
///
///     row key ──▶ cluster = key / 256 ──▶ leaf = cluster / 64, entry = cluster % 64 ──▶ node ──▶ slot = key % 256
final class ClusterMapLeaf: CachedNode, @unchecked Sendable {
  // @unchecked: everything is constant, and the slots are atomics.

  /// Leaves are small, since a commit of many rows rewrites those of its clusters.
  static let bits = 6
  static let width = 1 << bits
  static let mask = width - 1

  /// The node of each cluster; 0 where no row lives.
  let nodes: [Int64]
  /// The slots of clusters that were read and fit their table.
  let slots: VersionedReferenceArray<NodeSlot>
  /// The addresses of those clusters when they were read.
  private let hints: PrefetchHints
  /// The table that read the page first; -1 for none.
  private let table = Atomic<Int>(-1)

  init(nodes: [Int64]) {
    self.nodes = nodes
    slots = VersionedReferenceArray(count: nodes.count)
    hints = PrefetchHints()
  }

  private init(nodes: [Int64], following earlier: ClusterMapLeaf) {
    self.nodes = nodes
    slots = VersionedReferenceArray(count: nodes.count, following: earlier.slots) { nodes[$0] == earlier.nodes[$0] }
    hints = earlier.hints
  }

  override var byteCost: Int { 96 + Self.width * 16 + nodes.count * 16 }

  /// The slot of the cluster at `entry`; nil where no row lives.
  func slot(_ entry: Int, _ loader: NodeLoader) -> NodeSlot? {
    guard entry < nodes.count else { return nil }
    if let slot = slots[entry] { return slot.takeUnretainedValue() }
    let node = nodes[entry]
    return node == 0 ? nil : loader.cache.slot(node)
  }

  func keep(_ slot: NodeSlot, at entry: Int, _ cluster: Cluster) {
    _ = slots.set(entry, slot)
    hints.note(cluster, at: entry)
  }

  /// Prefetches the memory of a row of the cluster at `entry`.
  func prefetch(_ entry: Int, _ cells: CellOffsets, row slot: Int) {
    guard entry < slots.count else { return }
    if let place = slots[entry] { storage_prefetch(place.toOpaque(), 64) }
    hints.prefetch(entry, cells, row: slot)
  }

  /// Whether no other table reads the page.
  func belongs(to id: TableID) -> Bool {
    let (isFirst, owner) = table.compareExchange(expected: -1, desired: id.rawValue, ordering: .relaxed)
    return isFirst || owner == id.rawValue
  }

  /// The page with other nodes at some entries; slots of the others are taken over.
  func replacing(_ changes: ArraySlice<ClusterMapDelta.Entry>) -> ClusterMapLeaf {
    var nodes = self.nodes
    for change in changes {
      while nodes.count <= change.entry { nodes.append(0) }
      nodes[change.entry] = change.node
    }
    while nodes.last == 0 { nodes.removeLast() }
    return ClusterMapLeaf(nodes: nodes, following: self)
  }
}

extension ClusterMapLeaf: DecodableNode {
  static var kind: NodeKind { .clusterMapLeaf }

  func encoded() -> NodeWriter { ClusterMapPage.encoded(.clusterMapLeaf, nodes) }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> ClusterMapLeaf {
    ClusterMapLeaf(nodes: try ClusterMapPage.children(&reader, id: id, limit: width))
  }
}
