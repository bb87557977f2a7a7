public import Telemetry

/// A limit on the pings and pongs of a peer: ``burst`` at once, ``perSecond`` on average (a token bucket).
///
///     var limit = ControlFrameLimit()
///     limit.admits(at: loop.now)    // true
public struct ControlFrameLimit: Sendable {
  /// The frames admitted at once.
  public static let burst = 1_000.0
  /// The frames admitted per second on average.
  public static let perSecond = 100.0

  private var room = burst
  private var updated: MonotonicInstant?

  /// A full bucket.
  public init() {}

  /// Whether one more frame is admitted now; counts it if so. O(1).
  public mutating func admits(at now: MonotonicInstant) -> Bool {
    if let updated {
      room = min(Self.burst, room + Double((now - updated).clampedNanoseconds) / 1e9 * Self.perSecond)
    }
    updated = now
    guard room >= 1 else { return false }
    room -= 1
    return true
  }
}
