import Foundation

/// Moments as text: 2026-11-21T08:30:00Z, to the second, or a day alone.
enum Timestamp {
  static func text(_ date: Date) -> String {
    let day = Day(date)
    let rest = date.timeIntervalSince(day.date)
    let second = max(0, min(86_399, rest.isFinite ? Int(rest.rounded(.down)) : 0))
    let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return day.text + "T" + parts.joined(separator: ":") + "Z"
  }

  /// Reads what ``text(_:)`` writes, with a space for the T, a fraction, an offset, or without a time.
  static func parse(_ text: some StringProtocol) -> Date? {
    guard let day = Day(text: text.prefix(10)) else { return nil }
    var rest = text.dropFirst(10)
    guard let separator = rest.popFirst() else { return day.date }
    guard separator == "T" || separator == " " || separator == "t" else { return nil }
    var zone = 0
    if rest.last == "Z" || rest.last == "z" {
      rest.removeLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let digits = String(rest[rest.index(after: sign)...].filter { $0 != ":" })
      guard digits.utf8.count == 4, let number = Int(digits), number >= 0, number % 100 < 60, number < 2400 else {
        return nil
      }
      zone = (number / 100 * 60 + number % 100) * (rest[sign] == "-" ? -60 : 60)
      rest = rest[..<sign]
    }
    let clock = rest.split(separator: ".", maxSplits: 1).first ?? ""
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (2...3).contains(parts.count), (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      parts.count == 2 || (0...60).contains(parts[2])
    else { return nil }
    let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count == 3 ? parts[2] : 0)
    return day.date.addingTimeInterval(Double(seconds - zone))
  }
}
