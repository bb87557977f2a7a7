import Dispatch

/// Calls a function at regular times, on another thread, as long as it lives.
public final class Ticker {
  private let source: any DispatchSourceTimer

  /// A ticker whose first call comes after one period.
  public init(seconds: Int, _ tick: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
    source.setEventHandler(handler: tick)
    source.resume()
  }

  deinit { source.cancel() }
}
