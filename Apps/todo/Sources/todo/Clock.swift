import Dispatch
import Foundation
import TodoCore

/// The clock of this machine, in its time zone.
enum Clock {
  static func now() -> Date { Date() }

  static func today() -> Day {
    let now = Date()
    return Day(now.addingTimeInterval(Double(TimeZone.current.secondsFromGMT(for: now))))
  }
}

/// A clock that ticks.
enum Ticker {
  /// Calls a function now and then, often enough to notice a new day.
  static func daily(_ tick: @escaping @Sendable () -> Void) -> DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: .now() + 60, repeating: 60)
    source.setEventHandler(handler: tick)
    source.resume()
    return source
  }
}
