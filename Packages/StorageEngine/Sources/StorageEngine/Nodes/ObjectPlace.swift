import CStorageSupport
import Synchronization

/// A place for one object, or none, that any thread looks at for a moment: the object and its lock are one word.
///
///     word   0          nothing is there
///            address    of the object, which the place keeps
///            1          a thread took the object out, and puts it back within some nanoseconds
///
/// What a thread did before it put an object in, such as decoding it, has happened for whoever takes that out later: the
/// word is put back with release and taken with acquire order.
struct ObjectPlace<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: an object is read by the thread that took it out, or after that counted a reference of its own.
  private let word: Atomic<UInt>
  private static var taken: UInt { 1 }

  init(_ object: Object? = nil) { word = Atomic(Self.word(of: object)) }

  deinit { Self.object(word.load(ordering: .acquiring))?.release() }

  /// Calls `body` with the object, if there is one. Others wait meanwhile: `body` must be brief, take no locks and not
  /// come back here.
  @inline(__always) func withObject<R: Sendable>(_ body: (Object) -> R?) -> R? {
    let held = take()
    let result = Self.object(held).flatMap { $0._withUnsafeGuaranteedRef(body) }
    put(held)
    return result
  }

  /// Calls `body`, for which the same holds, with what is there; what it leaves is there afterwards. Nothing may end
  /// within `body`: an object that goes is returned.
  func change<R: Sendable>(_ body: (inout Object?) -> R) -> R {
    var object = Self.object(take())?.takeRetainedValue()
    let result = body(&object)
    put(Self.word(of: object))
    return result
  }

  @inline(__always) private func take() -> UInt {
    let held = word.exchange(Self.taken, ordering: .acquiring)
    return held == Self.taken ? wait() : held
  }

  // Not by a store, over which the compiler may move the counting of a reference that `body` took; an exchange that also
  // acquires stays one.
  @inline(__always) private func put(_ held: UInt) { _ = word.exchange(held, ordering: .acquiringAndReleasing) }

  /// Takes the object that another thread took first.
  @inline(never) private func wait() -> UInt {
    var round: Int32 = 0
    while true {
      storage_wait(round)
      round = min(round + 1, 128)
      // Looking alone leaves the word with the processor that is about to put it back.
      guard word.load(ordering: .relaxed) != Self.taken else { continue }
      let held = word.exchange(Self.taken, ordering: .acquiring)
      if held != Self.taken { return held }
    }
  }

  private static func word(of object: Object?) -> UInt {
    object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
  }

  @inline(__always) private static func object(_ word: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) }
  }
}
