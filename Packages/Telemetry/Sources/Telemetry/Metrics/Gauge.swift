import Synchronization

/// A number that goes up and down: open connections, bytes queued. Safe from any thread.
public final class Gauge: Sendable {
  private let amount = Atomic<Int64>(0)

  init() {}

  /// Replaces the value.
  public func set(_ value: Int64) { amount.store(value, ordering: .relaxed) }

  /// Adds `delta`, which may be negative; wraps at the ends.
  public func add(_ delta: Int64) { amount.wrappingAdd(delta, ordering: .relaxed) }

  /// The current value.
  public var value: Int64 { amount.load(ordering: .relaxed) }
}
