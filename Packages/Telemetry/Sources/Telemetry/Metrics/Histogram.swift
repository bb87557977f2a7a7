import Synchronization

/// The distribution of observations over fixed buckets. Safe from any thread; O(*n*) per observation for *n* buckets.
public final class Histogram: Sendable {
  /// The state of a histogram at one moment.
  public struct Snapshot: Equatable, Sendable {
    /// Upper bounds, ascending, without the last bucket that takes the rest.
    public var bounds: [Double]
    /// Observations per bucket, one more than `bounds`; not cumulative.
    public var counts: [UInt64]
    /// Sum of all observations that are numbers.
    public var sum: Double

    /// Number of observations.
    public var count: UInt64 { counts.reduce(0, &+) }

    /// The upper bound of the bucket in which the quantile falls; infinity when beyond the last bound, nil when empty.
    public func upperBound(ofQuantile quantile: Double) -> Double? {
      guard count > 0 else { return nil }
      let rank = Double(count) * min(max(quantile, 0), 1)
      var seen: UInt64 = 0
      for (bound, amount) in zip(bounds, counts) {
        seen &+= amount
        if Double(seen) >= rank { return bound }
      }
      return .infinity
    }
  }

  private let state: Mutex<Snapshot>

  /// Bounds in seconds that suit latencies from 100 microseconds to 10 seconds.
  public static let latencyBounds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// Bounds in bytes that suit messages from 64 bytes to 64 MiB, by factors of four.
  public static let sizeBounds: [Double] = (0...10).map { exponent in Double(64 << (2 * exponent)) }

  init(bounds: [Double]) {
    precondition(
      zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 } && bounds.allSatisfy(\.isFinite),
      "histogram bounds are finite and ascending")
    state = Mutex(Snapshot(bounds: bounds, counts: Array(repeating: 0, count: bounds.count + 1), sum: 0))
  }

  /// Counts one observation into the first bucket whose bound is not below it. NaN is ignored.
  public func observe(_ value: Double) {
    guard !value.isNaN else { return }
    state.withLock { state in
      let index = state.bounds.firstIndex { value <= $0 } ?? state.bounds.count
      state.counts[index] &+= 1
      state.sum += value
    }
  }

  /// Counts a duration, in seconds.
  public func observe(_ duration: Duration) {
    observe(Double(duration.clampedNanoseconds) / 1_000_000_000)
  }

  /// The observations until now, consistent among themselves.
  public var snapshot: Snapshot { state.withLock { $0 } }
}
