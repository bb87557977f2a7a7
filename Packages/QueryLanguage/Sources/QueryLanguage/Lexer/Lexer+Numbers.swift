import DataModel

/// Numbers, and dates written with digits.
extension Lexer {
  /// A number or a date at the current position; nil when there is neither.
  mutating func number() throws(QueryError) -> QueryConstant? {
    let start = position
    if Self.isDigit(byte()), let timestamp = try calendarTimestamp() { return .timestamp(timestamp) }
    let isSigned = byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-")
    if isSigned {
      position += 1
      if let special = specialNumber(isNegative: bytes[start] == UInt8(ascii: "-")) { return special }
    }
    if !isSigned, byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x"), Self.isHexDigit(byte(2)) {
      return try hexadecimal()
    }
    let whole = skipDigits()
    var isInteger = true
    var fraction = 0
    if byte() == UInt8(ascii: "."), whole > 0 || Self.isDigit(byte(1)) {
      position += 1
      fraction = skipDigits()
      isInteger = false
    }
    guard whole + fraction > 0 else {
      position = start
      return nil
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if Self.isDigit(byte(1 + sign)) {
        position += 1 + sign
        _ = skipDigits()
        isInteger = false
      }
    }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      guard let value = Int64(digits) else {
        throw failure("the integer does not fit into 64 bits", from: start, hint: "write a decimal point for a double")
      }
      return .int(value)
    }
    if byte() == UInt8(ascii: "f"), !Self.continuesIdentifier(byte(1)) {
      position += 1
      return .float(Float(Self.readable(digits)) ?? .nan)
    }
    return .double(Double(Self.readable(digits)) ?? .nan, digits: digits)
  }

  /// The digits in the form that the standard library reads: without a plus sign, and with a digit on both sides of the
  /// point.
  static func readable(_ digits: String) -> String {
    var text: [UInt8] = []
    for (at, byte) in digits.utf8.enumerated() where !(at == 0 && byte == UInt8(ascii: "+")) {
      if byte == UInt8(ascii: "."), text.last.map(isDigit) != true { text.append(0x30) }
      if byte | 0x20 == UInt8(ascii: "e"), text.last == UInt8(ascii: ".") { text.append(0x30) }
      text.append(byte)
    }
    if text.last == UInt8(ascii: ".") { text.append(0x30) }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while Self.isDigit(byte()) { position += 1 }
    return position - start
  }

  /// `inf`, `infinity` or `nan` after a sign.
  private mutating func specialNumber(isNegative: Bool) -> QueryConstant? {
    var end = position
    while end < bytes.count, Self.continuesIdentifier(bytes[end]), end - position < 10 { end += 1 }
    switch String(decoding: bytes[position..<end], as: UTF8.self).lowercased() {
    case "inf", "infinity":
      position = end
      return .double(isNegative ? -.infinity : .infinity, digits: nil)
    case "nan":
      position = end
      return .double(.nan, digits: nil)
    default: return nil
    }
  }

  private mutating func hexadecimal() throws(QueryError) -> QueryConstant {
    let start = position
    position += 2
    while Self.isHexDigit(byte()) { position += 1 }
    guard let value = Int64(String(decoding: bytes[(start + 2)..<position], as: UTF8.self), radix: 16) else {
      throw failure("the integer does not fit into 64 bits", from: start)
    }
    return .int(value)
  }

  /// `T<seconds>:<nanoseconds>` or `TY-M-D…` is no date; nil leaves the position where it was.
  mutating func secondsTimestamp() throws(QueryError) -> Timestamp? {
    let start = position
    position += 1
    guard let seconds = signedDigits(), byte() == UInt8(ascii: ":") else {
      position = start
      return nil
    }
    position += 1
    guard let nanoseconds = signedDigits() else {
      position = start
      return nil
    }
    guard let whole = Int64(seconds), let part = Int32(nanoseconds),
      let timestamp = Timestamp(validating: whole, nanoseconds: part)
    else {
      throw failure(
        "the date is out of range", from: start,
        hint: "seconds and nanoseconds have equal signs, and there are fewer than 1000000000 nanoseconds")
    }
    return timestamp
  }

  private mutating func signedDigits() -> String? {
    let start = position
    if byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: "+") { position += 1 }
    guard skipDigits() > 0 else { return nil }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// `Y-M-D@h:m:s` with `T` for `@` and nanoseconds if wanted; nil leaves the position where it was.
  private mutating func calendarTimestamp() throws(QueryError) -> Timestamp? {
    let start = position
    var fields: [Int64] = []
    let separators: [[UInt8]] = [
      [UInt8(ascii: "-")], [UInt8(ascii: "-")], [UInt8(ascii: "@"), UInt8(ascii: "T")], [UInt8(ascii: ":")],
      [UInt8(ascii: ":")],
    ]
    for field in 0..<6 {
      let from = position
      guard skipDigits() > 0 else {
        position = start
        return nil
      }
      fields.append(bytes[from..<position].reduce(0) { min($0 * 10 + Int64($1 - 0x30), 1_000_000_000_000) })
      guard field < 5 else { break }
      guard separators[field].contains(byte()) else {
        position = start
        return nil
      }
      position += 1
    }
    var nanoseconds: Int64 = 0
    if byte() == UInt8(ascii: ":"), Self.isDigit(byte(1)) {
      position += 1
      let from = position
      _ = skipDigits()
      nanoseconds = bytes[from..<position].reduce(0) { min($0 * 10 + Int64($1 - 0x30), 1_000_000_000_000) }
    }
    guard let timestamp = Self.timestamp(fields, nanoseconds: nanoseconds) else {
      throw failure("there is no such date", from: start, hint: "years start at 1900; write 2017-12-04@00:00:00")
    }
    return timestamp
  }

  private static func timestamp(_ fields: [Int64], nanoseconds: Int64) -> Timestamp? {
    let (year, month, day) = (fields[0], fields[1], fields[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1900...1_000_000_000).contains(year), (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day),
      fields[3] < 24, fields[4] < 60, fields[5] < 60, nanoseconds < 1_000_000_000
    else { return nil }
    // Days since 1970-01-01, counting years from March so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let seconds = days * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]
    return Timestamp(seconds: seconds, nanoseconds: Int32(seconds < 0 ? -nanoseconds : nanoseconds))
  }
}
