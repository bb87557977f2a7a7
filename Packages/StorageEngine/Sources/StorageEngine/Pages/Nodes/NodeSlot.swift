import Synchronization

/// The slot of one node in the cache: empty, or with the decoded node. All references to the node share the slot. May
/// be used from any thread.
final class NodeSlot: Sendable {
  // The fields that every use touches come first, to share a cache line of the processor.
  private let node: Mutex<CachedNode?>
  /// The CLOCK bit: set by every use, cleared by the hand of the cache.
  let wasUsed = Atomic<Bool>(true)
  let id: Int64
  /// The cost of the node in bytes, while the slot holds one.
  private let cost: Atomic<Int>

  /// - Parameter cost: of the node, in bytes.
  init(id: Int64, node: CachedNode? = nil, cost: Int = 0) {
    self.id = id
    self.node = Mutex(node)
    self.cost = Atomic(cost)
  }

  /// The decoded node; nil when it is not in memory.
  func peek() -> CachedNode? {
    if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
    return node.withLock { $0 }
  }

  /// Fills the slot, unless another thread was first.
  ///
  /// - Parameter cost: of the node, in bytes.
  /// - Returns: the node that stays, and whether it is the new one.
  func fill(_ new: CachedNode, cost: Int) -> (node: CachedNode, isNew: Bool) {
    node.withLock { current in
      if let current { return (current, false) }
      current = new
      self.cost.store(cost, ordering: .relaxed)
      return (new, true)
    }
  }

  /// Empties the slot; users of the node keep it.
  ///
  /// - Returns: the cost of the node; 0 when there was none.
  func empty() -> Int {
    // The node is destroyed outside of the lock, since it may be the last reference to others.
    let (taken, cost) = node.withLock { current in
      defer { current = nil }
      return (current, self.cost.load(ordering: .relaxed))
    }
    return taken == nil ? 0 : cost
  }
}
