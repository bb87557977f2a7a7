import Synchronization

/// A value that one thread sets and another reads later.
final class OnceValue<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  /// Sets the value; a second one replaces it.
  func set(_ value: Value) { state.withLock { $0 = value } }

  /// The value; nil before it was set.
  var value: Value? { state.withLock { $0 } }
}
