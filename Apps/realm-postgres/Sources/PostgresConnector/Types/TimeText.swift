import DataModel

/// Points in time as PostgreSQL writes them with DateStyle ISO and time zone UTC, to the microsecond.
enum TimeText {
  private static let secondsPerDay: Int64 = 86_400
  /// 4713-01-01 BC and 294277-01-01: the range of PostgreSQL's timestamps.
  private static let seconds: Range<Int64> = -210_863_520_000..<9_224_318_016_000

  /// `2024-02-29 12:00:00.5+00`.
  static func text(_ time: Timestamp) throws -> String {
    let (whole, microseconds) = split(time)
    guard seconds.contains(whole) else { throw Unfit("the time lies outside of what PostgreSQL can hold") }
    let days = floorDivided(whole, secondsPerDay)
    let rest = whole - days * secondsPerDay
    let (year, month, day) = civil(days)
    var text = "\(padded(year > 0 ? year : 1 - year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    text += " \(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    if microseconds > 0 { text += "." + padded(microseconds, 6) }
    return text + "+00" + (year > 0 ? "" : " BC")
  }

  /// The time with whole microseconds, as the database keeps it.
  static func rounded(_ time: Timestamp) -> Timestamp {
    let (whole, microseconds) = split(time)
    return joined(whole, microseconds)
  }

  /// A date, a timestamp or a timestamp with time zone.
  static func time(_ text: String) throws -> Timestamp {
    guard text != "infinity", text != "-infinity" else { throw Unfit("'\(text)' is no point in time") }
    var rest = Substring(text)
    let isBC = rest.hasSuffix(" BC")
    if isBC { rest = rest.dropLast(3) }
    let halves = rest.split(separator: " ", maxSplits: 1)
    let date = (halves.first ?? "").split(separator: "-").compactMap { Int64($0) }
    guard date.count == 3, (1...12).contains(date[1]), (1...31).contains(date[2]) else {
      throw Unfit("'\(text)' is no point in time")
    }
    let days = days(isBC ? 1 - date[0] : date[0], date[1], date[2])
    guard halves.count == 2 else { return joined(days * secondsPerDay, 0) }
    var clock = halves[1]
    if let zone = clock.lastIndex(where: { "+-".contains($0) }) {
      guard clock[clock.index(after: zone)...].allSatisfy({ "0:".contains($0) }) else {
        throw Unfit("'\(text)' is not in UTC")
      }
      clock = clock[..<zone]
    }
    let parts = clock.split(separator: ":")
    let second = (parts.last ?? "").split(separator: ".")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      let wholeSecond = second.first.flatMap({ Int64($0) })
    else { throw Unfit("'\(text)' is no point in time") }
    var microseconds: Int64 = 0
    if second.count == 2 {
      guard let digits = Int64(second[1]), second[1].count <= 6 else { throw Unfit("'\(text)' is no point in time") }
      microseconds = (second[1].count..<6).reduce(digits) { value, _ in value * 10 }
    }
    return joined(days * secondsPerDay + hours * 3_600 + minutes * 60 + wholeSecond, microseconds)
  }

  /// Seconds, and the microseconds on top, never negative.
  private static func split(_ time: Timestamp) -> (seconds: Int64, microseconds: Int64) {
    let micro = floorDivided(Int64(time.nanoseconds), 1_000)
    return micro < 0 ? (time.seconds - 1, micro + 1_000_000) : (time.seconds, micro)
  }

  private static func joined(_ seconds: Int64, _ microseconds: Int64) -> Timestamp {
    // Both halves of a timestamp have one sign.
    seconds < 0 && microseconds > 0
      ? Timestamp(seconds: seconds + 1, nanoseconds: Int32((microseconds - 1_000_000) * 1_000))
      : Timestamp(seconds: seconds, nanoseconds: Int32(microseconds * 1_000))
  }

  private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The proleptic Gregorian date of a day since 1970-01-01. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivided(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
