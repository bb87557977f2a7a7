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

/// Calls a function now and then, on another thread, until it goes.
final class Ticker {
  private let source: any DispatchSourceTimer

  init(seconds: Int, _ tick: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
    source.setEventHandler(handler: tick)
    source.resume()
  }

  deinit { source.cancel() }
}
