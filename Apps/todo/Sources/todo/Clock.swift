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
