import TextWidth

/// The text of long work's progress, as a value: count, share, rate and time left, at most ten times a second.
///
///     writing people.csv  412,000 objects  35%  88,000/s  9 s left
///
/// Nothing in the first half second: short work shows none.
struct ProgressMeter {
  private let unit: String
  private var label = ""
  private var began: Double
  private var shown: Double?
  /// Where the part with this label began, for its rate.
  private var partBegan: Double
  private static let delay = 0.5
  private static let interval = 0.1

  /// - Parameter now: seconds of a clock that only goes forward.
  init(unit: String, now: Double) {
    self.unit = unit
    began = now
    partBegan = now
  }

  /// The line to show, or nil where it is not time yet.
  mutating func line(_ label: String, count: Int, share: Double?, now: Double) -> String? {
    if label != self.label {
      self.label = label
      partBegan = now
    }
    guard now - began >= Self.delay, now - (shown ?? 0) >= Self.interval || shown == nil else { return nil }
    shown = now
    var parts = [label, "\(Self.grouped(count)) \(unit)"]
    let seconds = now - partBegan
    if let share { parts.append("\(Int(share * 100))%") }
    if seconds >= Self.interval, count > 0 {
      parts.append(Self.grouped(Int(Double(count) / seconds)) + "/s")
      if let share, share > 0.01 { parts.append(Self.time(seconds / share - seconds) + " left") }
    }
    return parts.joined(separator: "  ")
  }

  /// A number with commas between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(max(0, number)))
    return String(
      digits.enumerated().flatMap { position, digit in
        position > 0 && (digits.count - position) % 3 == 0 ? [",", digit] : [digit]
      })
  }

  /// A time for people: `9 s`, `2:05 min`, `1:02 h`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(min(max(0, seconds), 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole) s" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60)) min" : "\(whole / 3600):\(two(whole / 60 % 60)) h"
  }
}
