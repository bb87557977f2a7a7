import Synchronization

/// Where arrays without entries have them.
// Never read, never freed.
private nonisolated(unsafe) let noEntries = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)

/// Places for objects that are found once, by any thread, and read without a lock from then on.
///
/// Each is empty or holds a retained object until the array is destroyed. What is found is there for as long as whoever
/// keeps the array, so that a walk down kept objects counts no references.
struct SetOnceArray<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: entries are atomics; an entry once set stays until deinit, when nobody else can hold the array.
  private let entries: UnsafeMutablePointer<Atomic<UInt>>
  let count: Int

  init(count: Int) {
    self.count = count
    entries = count == 0 ? noEntries : .allocate(capacity: count)
    for index in 0..<count { (entries + index).initialize(to: Atomic(0)) }
  }

  deinit {
    guard count > 0 else { return }
    for index in 0..<count {
      self[index]?.release()
      (entries + index).deinitialize(count: 1)
    }
    entries.deallocate()
  }

  /// The object at `index`, below ``count``; nil when it was not set yet.
  @inline(__always) subscript(index: Int) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: entries[index].load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }

  /// Sets the object at `index` unless one is set; returns the one that stays.
  func set(_ index: Int, _ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    let (exchanged, original) = entries[index].compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return object }
    retained.release()
    guard let raw = UnsafeRawPointer(bitPattern: original) else { return object }
    return Unmanaged<Object>.fromOpaque(raw).takeUnretainedValue()
  }
}
