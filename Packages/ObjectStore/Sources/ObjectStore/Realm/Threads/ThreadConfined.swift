/// What belongs to one thread or queue, and can be frozen.
public protocol ThreadConfined {
  /// The realm; nil while unmanaged.
  var realm: Realm? { get }
  /// Whether it can no longer be used.
  var isInvalidated: Bool { get }
  /// Whether it never changes.
  var isFrozen: Bool { get }
  /// A copy that never changes and may be read from any thread.
  func freeze() -> Self
  /// The live form on this thread; nil when it is gone.
  func thaw() -> Self?
}
