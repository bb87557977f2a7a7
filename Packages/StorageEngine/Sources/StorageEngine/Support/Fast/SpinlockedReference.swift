import CStorageSupport
import Synchronization

/// A strong reference and its spinlock in one word.
///
///     word   0          unlocked, no object
///            address    unlocked, of the retained object
///            1          locked for some nanoseconds
///
/// Locking takes the word out with acquire order; unlocking puts it back with release order. So whatever a thread did
/// before it stored an object, such as decoding it, happened before the next thread reads that object.
struct SpinlockedReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: an object is used by the thread that holds the lock, or under a reference that this thread counted.
  private let word: Atomic<UInt>
  private static var locked: UInt { 1 }

  init(_ object: Object? = nil) { word = Atomic(Self.word(of: object)) }

  deinit { Self.object(word.load(ordering: .acquiring))?.release() }

  /// Calls `body` under the lock with the object; returns nil when there is none. Other threads spin meanwhile: `body`
  /// must be brief, take no locks and not use this reference.
  @inline(__always) func withObject<R: Sendable>(_ body: (Object) -> R?) -> R? {
    let held = lock()
    let result = Self.object(held).flatMap { $0._withUnsafeGuaranteedRef(body) }
    unlock(held)
    return result
  }

  /// Calls `body` under the lock with the object, which it may replace. The rules of ``withObject(_:)`` hold; `body`
  /// must not release the last reference to an object, but return it.
  func change<R: Sendable>(_ body: (inout Object?) -> R) -> R {
    var object = Self.object(lock())?.takeRetainedValue()
    let result = body(&object)
    unlock(Self.word(of: object))
    return result
  }

  @inline(__always) private func lock() -> UInt {
    let held = word.exchange(Self.locked, ordering: .acquiring)
    return held == Self.locked ? spin() : held
  }

  // An exchange with acquire order, since the compiler may move a retain that `body` made below a plain store.
  @inline(__always) private func unlock(_ held: UInt) { _ = word.exchange(held, ordering: .acquiringAndReleasing) }

  /// Waits for the lock: busily at first, then yielding, then sleeping.
  @inline(never) private func spin() -> UInt {
    var round: Int32 = 0
    while true {
      storage_wait(round)
      round = min(round + 1, 128)
      // A load alone leaves the cache line with the processor that holds the lock.
      guard word.load(ordering: .relaxed) != Self.locked else { continue }
      let held = word.exchange(Self.locked, ordering: .acquiring)
      if held != Self.locked { return held }
    }
  }

  private static func word(of object: Object?) -> UInt {
    object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }

  @inline(__always) private static func object(_ word: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }
}
