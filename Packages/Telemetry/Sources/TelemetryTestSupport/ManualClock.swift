import Synchronization
import Telemetry

/// A monotonic and calendar clock that moves only when told to.
///
///     let clock = ManualClock()
///     clock.advance(by: .seconds(5))
///     clock.now - .zero   // 5 s
public final class ManualClock: MonotonicClock, WallClock {
  private struct State {
    var instant: MonotonicInstant
    var wall: WallTime
  }
  private let state: Mutex<State>

  /// A clock at the given instant and calendar time (by default 1 January 2026).
  public init(
    instant: MonotonicInstant = .zero, wallTime: WallTime = WallTime(millisecondsSince1970: 1_767_225_600_000)
  ) {
    state = Mutex(State(instant: instant, wall: wallTime))
  }

  /// The instant that the clock was moved to.
  public var now: MonotonicInstant { state.withLock { $0.instant } }
  /// The calendar time that the clock was set or moved to.
  public var wallTime: WallTime { state.withLock { $0.wall } }

  /// Moves both clocks forward. `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "a monotonic clock does not go backwards")
    state.withLock {
      $0.instant = $0.instant + duration
      $0.wall = $0.wall + duration
    }
  }

  /// Sets the calendar, as an operator would; the monotonic clock is not touched.
  public func setWallTime(_ time: WallTime) { state.withLock { $0.wall = time } }
}
