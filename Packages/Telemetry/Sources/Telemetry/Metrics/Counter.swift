import Synchronization

/// A number that only grows: requests served, bytes sent. Safe from any thread; one atomic addition.
public final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  init() {}

  /// Adds `amount`; wraps after 2^64.
  public func increment(by amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

  /// The current count.
  public var value: UInt64 { count.load(ordering: .relaxed) }
}
