import Foundation

/// A day of the Gregorian calendar, without a time or a time zone.
///
///     Day(text: "2026-11-21")?.text == "2026-11-21"
public struct Day: Equatable, Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public let number: Int

  /// A day by its distance from 1970-01-01. Beyond the years 1 to 9999 the nearest of their days.
  public init(number: Int) { self.number = max(Self.first, min(Self.last, number)) }

  private static let first = -719_162
  private static let last = 2_932_896

  /// The day with a year, month and day of the month; nil if there is none.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    // Counting years from March puts the leap day at the end of the year.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
    guard parts == (year, month, day) else { return nil }
  }

  /// Year, month and day of the month.
  public var parts: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// 1 for Monday to 7 for Sunday.
  public var weekday: Int { ((number + 3) % 7 + 7) % 7 + 1 }

  /// The day a number of days later.
  public func adding(_ days: Int) -> Day { Day(number: number + max(-4_000_000, min(4_000_000, days))) }

  /// Earlier days come first.
  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension Day {
  /// The day in the form 2026-11-21.
  public var text: String {
    let (year, month, day) = parts
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Reads the form 2026-11-21, exactly.
  public init?(text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Reads what people type: 2026-11-21, today, tomorrow, +3, mon to sun.
  public init?(typed text: String, today: Day) {
    let word = text.trimmingCharacters(in: .whitespaces).lowercased()
    let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    if let day = Day(text: word) {
      self = day
    } else if word == "today" {
      self = today
    } else if word == "tomorrow" {
      self = today.adding(1)
    } else if word.hasPrefix("+"), let days = Int(word.dropFirst()), (0...36_500).contains(days) {
      self = today.adding(days)
    } else if word.count >= 3, let index = weekdays.firstIndex(where: { word.hasPrefix($0) }) {
      self = today.adding((index + 1 - today.weekday + 6) % 7 + 1)
    } else {
      return nil
    }
  }

  /// The start of the day in UTC, as the store keeps it.
  public var date: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

  /// The day of a moment in UTC.
  public init(_ date: Date) {
    let days = (date.timeIntervalSince1970 / 86_400).rounded(.down)
    self.init(number: days.isFinite ? Int(max(-1e7, min(1e7, days))) : 0)
  }
}
