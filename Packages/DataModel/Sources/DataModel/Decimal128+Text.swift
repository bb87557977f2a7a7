extension Decimal128: CustomStringConvertible {
  /// The number that a text denotes: digits with an optional sign, point and exponent, or `inf`, `infinity`, `nan`.
  ///
  ///     try Decimal128(string: "-12.50").description      // "-12.50"
  ///
  /// Digits past the 34th are rounded half to even. A text that denotes no number gives NaN; see ``init(validating:)``.
  ///
  /// - Throws: never; declared as in Realm Swift, for source compatibility.
  public init(string: String) throws { self = Self.parse(Array(string.utf8)) ?? .nan }

  /// The number that a text denotes, nil when it denotes none.
  public init?(validating text: String) {
    guard let value = Self.parse(Array(text.utf8)) else { return nil }
    self = value
  }

  /// The number as RealmSwift writes it: without zeros at the end of a fraction, and with an exponent for all but whole
  /// numbers and for numbers with digits before the point: `7.25`, `1E-3`, `1.5E40`, `NaN`, `-Inf`. Unlike
  /// ``description`` it does not keep how exact the number is.
  public var stringValue: String {
    if isNaN { return "NaN" }
    if isInfinite { return isNegative ? "-Inf" : "Inf" }
    var (coefficient, exponent) = (parts.coefficient, parts.exponent)
    if coefficient == 0 { exponent = 0 }
    while exponent != 0, coefficient != 0, coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    let digits = "\(coefficient)"
    var whole = digits.utf8.count
    while whole > 1, exponent != 0 {
      whole -= 1
      exponent += 1
    }
    let fraction = digits.dropFirst(whole)
    return (isNegative ? "-" : "") + digits.prefix(whole) + (fraction.isEmpty ? "" : "." + fraction)
      + (exponent == 0 ? "" : "E\(exponent)")
  }

  private static func parse(_ text: [UInt8]) -> Decimal128? {
    var rest = text[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    switch String(decoding: rest, as: UTF8.self).lowercased() {
    case "inf", "infinity": return .infinity(isNegative: isNegative)
    case "nan": return .nan
    default: break
    }
    var digits = DigitReader()
    while let byte = rest.first, digits.take(byte) { rest = rest.dropFirst() }
    guard digits.count > 0 else { return nil }
    var exponent = 0
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      guard let value = parseExponent(rest.dropFirst()) else { return nil }
      exponent = value
      rest = []
    }
    guard rest.isEmpty else { return nil }
    let parts = DecimalParts(
      isNegative: isNegative, coefficient: digits.coefficient, exponent: exponent + digits.exponent)
    return parts.decimal(sticky: digits.isSticky)
  }

  /// A signed integer, cut to a million: every exponent beyond overflows anyway.
  private static func parseExponent(_ text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard !rest.isEmpty, rest.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let value = rest.reduce(0) { Swift.min($0 * 10 + Int($1 - 0x30), 1_000_000) }
    return isNegative ? -value : value
  }

  /// Collects up to 36 digits and remembers what was cut off.
  private struct DigitReader {
    var coefficient: UInt128 = 0
    var exponent = 0
    var count = 0
    var isSticky = false
    private var seesFraction = false

    mutating func take(_ byte: UInt8) -> Bool {
      if byte == UInt8(ascii: "."), !seesFraction {
        seesFraction = true
        return true
      }
      guard byte >= 0x30, byte <= 0x39 else { return false }
      count += 1
      if coefficient < DecimalParts.power(36) {
        coefficient = coefficient * 10 + UInt128(byte - 0x30)
        if seesFraction { exponent -= 1 }
      } else {
        if byte != 0x30 { isSticky = true }
        if !seesFraction { exponent += 1 }
      }
      return true
    }
  }

  /// The digits, with a point where the exponent is small and in scientific notation where it is not:
  /// `7.250`, `0.001`, `1.5E+40`, `NaN`, `-Infinity`.
  public var description: String {
    if isNaN { return "NaN" }
    if isInfinite { return isNegative ? "-Infinity" : "Infinity" }
    let parts = parts
    var text = "\(parts.coefficient)"
    let adjusted = parts.exponent + text.utf8.count - 1
    let sign = isNegative ? "-" : ""
    if parts.exponent == 0 { return sign + text }
    if parts.exponent < 0, adjusted >= -6 {
      let point = text.utf8.count + parts.exponent
      if point <= 0 { text = String(repeating: "0", count: 1 - point) + text }
      let split = text.index(text.startIndex, offsetBy: Swift.max(point, 1))
      return sign + text[..<split] + "." + text[split...]
    }
    if text.utf8.count > 1 { text.insert(".", at: text.index(after: text.startIndex)) }
    return sign + text + "E" + (adjusted < 0 ? "" : "+") + "\(adjusted)"
  }
}
