import Synchronization

/// Decoded nodes by number, within a budget of bytes that caches may share.
///
/// Numbers are never reused and nodes never change, so no entry is ever stale. CLOCK eviction per shard: the hand
/// evicts nodes that were not referenced since its last pass. O(1) amortised. An evicted node stays with its users. May
/// be used from any thread.
final class NodeCache: Sendable {
  private struct Shard {
    var slots: [Int64: NodeSlot] = [:]
    /// Filled slots, in no order; the hand is an index into them.
    var ring: [NodeSlot] = []
    var hand = 0

    /// Removes from the ring the slots that are no longer in use, when they outnumber the others.
    mutating func dropStale() {
      guard ring.count > 2 * slots.count + 64 else { return }
      ring.removeAll { slots[$0.id] !== $0 }
      hand = 0
    }
  }

  private final class ShardBox: Sendable {
    let shard = Mutex(Shard())
  }

  private let shards: [ShardBox]
  private let usedBytes = Atomic<Int>(0)
  let budget: CacheBudget

  init(budget: CacheBudget) {
    self.budget = budget
    shards = (0..<16).map { _ in ShardBox() }
    budget.join(self)
  }

  deinit { budget.subtract(bytes) }

  var bytes: Int { usedBytes.load(ordering: .relaxed) }

  private func box(_ id: Int64) -> ShardBox { shards[Int(truncatingIfNeeded: id & 15)] }

  /// The slot of a node, made when there is none.
  func slot(_ id: Int64) -> NodeSlot {
    box(id).shard.withLock { shard in
      if let slot = shard.slots[id] { return slot }
      let slot = NodeSlot(id: id)
      shard.slots[id] = slot
      return slot
    }
  }

  /// Adds a node that was just written; returns its slot. May evict others.
  func add(_ id: Int64, _ node: CachedNode) -> NodeSlot {
    let cost = node.byteCost
    let slot = NodeSlot(id: id, node: node, cost: cost)
    let old = box(id).shard.withLock { shard in
      shard.ring.append(slot)
      return shard.slots.updateValue(slot, forKey: id)
    }
    if let old { release(old) }
    usedBytes.add(cost, ordering: .relaxed)
    budget.add(cost)
    return slot
  }

  /// Puts a decoded node into its slot, unless it has one; returns the one that stays. May evict others.
  func fill(_ slot: NodeSlot, with node: CachedNode) -> CachedNode {
    let cost = node.byteCost
    let (kept, isNew) = slot.fill(node, cost: cost)
    guard isNew else { return kept }
    box(slot.id).shard.withLock { shard in
      if shard.slots[slot.id] == nil { shard.slots[slot.id] = slot }
      shard.ring.append(slot)
    }
    usedBytes.add(cost, ordering: .relaxed)
    budget.add(cost)
    return kept
  }

  /// Removes nodes that no snapshot needs any more.
  func remove(_ ids: some Sequence<Int64>) {
    for id in ids {
      let slot = box(id).shard.withLock { shard in
        defer { shard.dropStale() }
        return shard.slots.removeValue(forKey: id)
      }
      if let slot { release(slot) }
    }
  }

  func removeAll() {
    for box in shards {
      let ring = box.shard.withLock { shard in
        defer { shard = Shard() }
        return shard.ring
      }
      for slot in ring { release(slot) }
    }
  }

  private func release(_ slot: NodeSlot) {
    let cost = slot.empty()
    guard cost > 0 else { return }
    usedBytes.subtract(cost, ordering: .relaxed)
    budget.subtract(cost)
  }

  /// Evicts nodes that were not referenced since the last sweep, until `isEnough`.
  func sweep(until isEnough: () -> Bool) {
    for box in shards {
      if isEnough() { return }
      sweep(box, until: isEnough)
    }
  }

  private func sweep(_ box: ShardBox, until isEnough: () -> Bool) {
    box.shard.withLock { shard in
      var passes = shard.ring.count
      while passes > 0, !isEnough() {
        passes -= 1
        if shard.hand >= shard.ring.count { shard.hand = 0 }
        let slot = shard.ring[shard.hand]
        if slot.wasUsed.exchange(false, ordering: .relaxed) {
          shard.hand += 1
          continue
        }
        release(slot)
        if shard.slots[slot.id] === slot { shard.slots[slot.id] = nil }
        shard.ring.swapAt(shard.hand, shard.ring.count - 1)
        shard.ring.removeLast()
      }
    }
  }
}
