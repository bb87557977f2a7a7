import Synchronization

/// The places in memory of a page's children, found once and then read without a lock.
///
/// Each entry is empty or holds a retained ``NodeSlot`` until the array is destroyed.
struct SlotArray: ~Copyable, @unchecked Sendable {
  // @unchecked: entries are atomics; an entry once set stays until deinit, when nobody else can hold the array.
  private let entries: UnsafeMutablePointer<Atomic<UInt>>
  let count: Int

  init(count: Int) {
    self.count = count
    entries = .allocate(capacity: max(count, 1))
    for index in 0..<count { (entries + index).initialize(to: Atomic(0)) }
  }

  deinit {
    for index in 0..<count {
      if let raw = UnsafeRawPointer(bitPattern: entries[index].load(ordering: .relaxed)) {
        Unmanaged<NodeSlot>.fromOpaque(raw).release()
      }
      (entries + index).deinitialize(count: 1)
    }
    entries.deallocate()
  }

  /// The slot at `index`, or nil when it was not set yet.
  @inline(__always) func slot(_ index: Int) -> NodeSlot? {
    guard let raw = UnsafeRawPointer(bitPattern: entries[index].load(ordering: .acquiring)) else { return nil }
    return Unmanaged<NodeSlot>.fromOpaque(raw).takeUnretainedValue()
  }

  /// The decoded node of the slot at `index`, if the slot is set and filled: the hot path, which counts no reference
  /// but that of the node.
  @inline(__always) func node(_ index: Int) -> CachedNode? {
    guard let raw = UnsafeRawPointer(bitPattern: entries[index].load(ordering: .acquiring)) else { return nil }
    return Unmanaged<NodeSlot>.fromOpaque(raw)._withUnsafeGuaranteedRef { $0.peek() }
  }

  /// Sets the slot at `index` unless it is set; returns the one that stays.
  func set(_ index: Int, _ slot: NodeSlot) -> NodeSlot {
    let retained = Unmanaged.passRetained(slot)
    let bits = UInt(bitPattern: retained.toOpaque())
    let (exchanged, original) = entries[index].compareExchange(
      expected: 0, desired: bits, ordering: .acquiringAndReleasing)
    if exchanged { return slot }
    retained.release()
    guard let raw = UnsafeRawPointer(bitPattern: original) else { return slot }
    return Unmanaged<NodeSlot>.fromOpaque(raw).takeUnretainedValue()
  }
}
