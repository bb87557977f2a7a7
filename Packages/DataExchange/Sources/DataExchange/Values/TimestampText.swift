import DataModel

extension Timestamp {
  /// As ISO 8601, in UTC, with as many digits as the nanoseconds need: `1969-12-31T23:59:59.5Z`.
  ///
  /// Years before 0 and after 9999 have a sign and at least six digits, as the standard's expanded form has.
  var isoText: String {
    // Nanoseconds count backwards before 1970; a clock counts forwards. 128 bits, because the first day of the range
    // begins before its first second.
    var seconds = Int128(self.seconds)
    var nanoseconds = Int64(self.nanoseconds)
    if nanoseconds < 0 {
      seconds -= 1
      nanoseconds += 1_000_000_000
    }
    let days = Int64(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
    let second = Int64(seconds - Int128(days) * 86_400)
    let (year, month, day) = Self.date(days)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var text = Self.yearText(year) + "-\(two(month))-\(two(day))T"
    text += "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    if nanoseconds > 0 {
      var digits = String(String(1_000_000_000 + nanoseconds).dropFirst())
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  private static func yearText(_ year: Int64) -> String {
    let digits = String(year.magnitude)
    if year >= 0, year <= 9999 { return String(repeating: "0", count: 4 - digits.count) + digits }
    return (year < 0 ? "-" : "+") + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// The civil date of a day counted from 1970-01-01, in the Gregorian calendar.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Eras of 400 years that begin in March, so that the leap day is the last of its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The point in time that an ISO 8601 text names, with `Z` or an offset; a date alone is its midnight in UTC.
  init?(isoText text: String) {
    var scanner = DigitScanner(text[...])
    let sign: Int64? = scanner.take("-") ? -1 : scanner.take("+") ? 1 : nil
    guard let (year, width) = scanner.number(), width >= (sign == nil ? 4 : 5), sign != nil || width == 4,
      year < 300_000_000_000, scanner.take("-"), let month = scanner.two(1...12), scanner.take("-"),
      let day = scanner.two(1...31)
    else { return nil }
    let civil = Self.days(year * (sign ?? 1), month, day)
    guard Self.date(civil) == (year * (sign ?? 1), month, day) else { return nil }
    var second: Int64 = 0
    var nanoseconds: Int64 = 0
    if !scanner.isAtEnd {
      guard scanner.take("T") || scanner.take("t") || scanner.take(" "), let hour = scanner.two(0...23),
        scanner.take(":"), let minute = scanner.two(0...59)
      else { return nil }
      second = hour * 3600 + minute * 60
      if scanner.take(":") {
        guard let seconds = scanner.two(0...59) else { return nil }
        second += seconds
        if scanner.take(".") || scanner.take(",") {
          guard let (digits, width) = scanner.number(), width <= 9 else { return nil }
          nanoseconds = (width..<9).reduce(digits) { value, _ in value * 10 }
        }
      }
      if !(scanner.take("Z") || scanner.take("z")) {
        let offset: Int64? = scanner.take("+") ? 1 : scanner.take("-") ? -1 : nil
        guard let offset, let hours = scanner.two(0...23) else { return nil }
        _ = scanner.take(":")
        guard let minutes = scanner.two(0...59) else { return nil }
        second -= offset * (hours * 3600 + minutes * 60)
      }
      guard scanner.isAtEnd else { return nil }
    }
    var seconds = Int128(civil) * 86_400 + Int128(second)
    if seconds < 0, nanoseconds > 0 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    guard let whole = Int64(exactly: seconds) else { return nil }
    self.init(validating: whole, nanoseconds: Int32(nanoseconds))
  }
}

/// Takes digits and signs from a text.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: Substring) { rest = text.utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Up to 12 digits with their count.
  mutating func number() -> (value: Int64, width: Int)? {
    var value: Int64 = 0
    var width = 0
    while let byte = rest.first, byte >= 0x30, byte <= 0x39, width < 12 {
      value = value * 10 + Int64(byte - 0x30)
      width += 1
      rest = rest.dropFirst()
    }
    return width == 0 ? nil : (value, width)
  }

  /// Exactly two digits, in a range.
  mutating func two(_ range: ClosedRange<Int64>) -> Int64? {
    guard rest.count >= 2 else { return nil }
    var pair = DigitScanner(Substring(rest.prefix(2)))
    guard let (value, width) = pair.number(), width == 2, range.contains(value) else { return nil }
    rest = rest.dropFirst(2)
    return value
  }
}
