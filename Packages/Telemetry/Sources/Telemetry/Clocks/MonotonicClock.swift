import Glibc

/// A point on a clock that never goes backwards.
///
/// Only differences have a meaning; the zero is the start of the machine or of the simulation.
///
///     let start = clock.now
///     let elapsed: Duration = clock.now - start
public struct MonotonicInstant: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the zero of the clock.
  public var nanoseconds: UInt64

  /// An instant `nanoseconds` after the zero of the clock.
  @inlinable
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The zero of every clock.
  public static let zero = MonotonicInstant(nanoseconds: 0)

  /// Whether the left instant is earlier.
  @inlinable
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `duration` later. Saturates at both ends instead of wrapping.
  public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
    let amount = duration.clampedNanoseconds
    if amount >= 0 {
      let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(UInt64(amount))
      return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }
    let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(amount.magnitude)
    return MonotonicInstant(nanoseconds: overflow ? 0 : difference)
  }

  /// The time that passed from `right` to `left`; negative when `right` is the later one.
  public static func - (left: MonotonicInstant, right: MonotonicInstant) -> Duration {
    left >= right
      ? .nanoseconds(Int64(clamping: left.nanoseconds - right.nanoseconds))
      : .nanoseconds(-Int64(clamping: right.nanoseconds - left.nanoseconds))
  }

  /// Seconds with microseconds, as in `12.000345s`.
  public var description: String {
    let micros = nanoseconds / 1_000
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)s"
  }
}

extension Duration {
  /// The duration in nanoseconds, limited to what an `Int64` holds (292 years).
  public var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}

/// A source of instants that never go backwards, given as a parameter so that tests can own time.
public protocol MonotonicClock: Sendable {
  /// The current instant. Two readings in order never decrease.
  var now: MonotonicInstant { get }
}

/// The machine's monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  /// A clock; all values read the same time.
  public init() {}

  /// The time since the start of the machine.
  public var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(
      nanoseconds: UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec))
  }
}
