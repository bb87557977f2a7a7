import Foundation

/// Dates as text. Dates beyond the years 1 to 9999, which other programs may write, count as the nearest of these.
public enum Moment {
  private static func parts(_ date: Date, zone: Int) -> DateComponents {
    let seconds = date.timeIntervalSince1970
    let bounded = seconds.isNaN ? 0 : max(-62_135_596_800, min(253_402_300_799, seconds))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let parts: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second, .weekday, .nanosecond]
    return calendar.dateComponents(parts, from: Date(timeIntervalSince1970: bounded + Double(zone)))
  }

  private static func padded(_ number: Int?, _ digits: Int = 2) -> String {
    let text = String(max(0, number ?? 0))
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Hours and minutes, such as `09:05`.
  ///
  /// - Parameter zone: the seconds by which local time is ahead of UTC.
  public static func time(_ date: Date, zone: Int) -> String {
    let parts = parts(date, zone: zone)
    return "\(padded(parts.hour)):\(padded(parts.minute))"
  }

  /// The day, such as `Fri 2026-11-27`.
  public static func day(_ date: Date, zone: Int) -> String {
    let parts = parts(date, zone: zone)
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let index = (parts.weekday ?? 1) - 1
    let name = names.indices.contains(index) ? names[index] + " " : ""
    return "\(name)\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))"
  }

  /// The moment in UTC for programs, such as `2026-11-27T09:05:00.250Z`.
  public static func text(_ date: Date) -> String {
    let parts = parts(date, zone: 0)
    let milliseconds = (parts.nanosecond ?? 0) / 1_000_000
    return "\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))T"
      + "\(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second)).\(padded(milliseconds, 3))Z"
  }
}
