import Synchronization

/// The place in memory of one node, empty or holding it decoded; shared by everything that refers to the node.
final class NodeSlot: Sendable {
  // What every use touches comes first, to lie in one line of the processor's cache.
  private let node: ObjectPlace<CachedNode>
  /// Set by every use, cleared by the cache's hand as it passes.
  let wasUsed = Atomic<Bool>(true)
  let id: Int64
  /// What the node costs in memory, while the slot holds one.
  private let cost: Atomic<Int>

  /// - Parameter cost: of the node.
  init(id: Int64, node: CachedNode? = nil, cost: Int = 0) {
    self.id = id
    self.node = ObjectPlace(node)
    self.cost = Atomic(cost)
  }

  /// The decoded node if it is in memory.
  @inline(__always) func peek() -> CachedNode? { withNode { $0 } }

  /// Calls `body`, which must be brief and take no locks, with the decoded node if it is in memory; nil if not. The node
  /// stays there meanwhile, so that nothing is counted.
  @inline(__always) func withNode<R: Sendable>(_ body: (CachedNode) -> R?) -> R? {
    if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
    return node.withObject(body)
  }

  /// Puts a node in, unless another thread was first; returns the one that stays and whether it is the new one.
  ///
  /// - Parameter cost: of the node.
  func fill(_ new: CachedNode, cost: Int) -> (node: CachedNode, isNew: Bool) {
    node.change { current in
      if let current { return (current, false) }
      current = new
      self.cost.store(cost, ordering: .relaxed)
      return (new, true)
    }
  }

  /// Takes the node out; whoever holds it keeps it.
  ///
  /// - Returns: what it cost; 0 when there was none.
  func empty() -> Int {
    // The node ends outside of its place: others may end with it.
    let (taken, cost) = node.change { current in
      defer { current = nil }
      return (current, self.cost.load(ordering: .relaxed))
    }
    return taken == nil ? 0 : cost
  }
}
