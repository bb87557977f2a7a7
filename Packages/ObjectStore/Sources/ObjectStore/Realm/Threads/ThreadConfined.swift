/// A type whose managed values belong to one thread, queue or actor, and can be frozen.
public protocol ThreadConfined {
  /// The realm of the value; nil while it is unmanaged.
  var realm: Realm? { get }
  /// Whether the value can no longer be used: its object was deleted, or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether the value is a frozen copy.
  var isFrozen: Bool { get }
  /// A copy that never changes and may be read from any thread. An unmanaged value stops the program.
  func freeze() -> Self
  /// The live form of a frozen copy on the calling thread; nil when it was deleted since.
  func thaw() -> Self?
}
