/// A finite decimal taken apart: `(-1)^sign × coefficient × 10^exponent`.
///
/// During a calculation the coefficient may hold up to 38 digits; ``decimal(sticky:)`` rounds it to the 34 that fit.
struct DecimalParts {
  var isNegative: Bool
  var coefficient: UInt128
  var exponent: Int

  /// One more than the greatest coefficient: 10^34.
  static let limit = power(34)

  /// 10^n, for n from 0 to 38.
  static func power(_ n: Int) -> UInt128 { powers[n] }

  private static let powers: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<38 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()

  /// The number of decimal digits; 1 for zero.
  static func digitCount(_ value: UInt128) -> Int {
    var low = 1
    var high = 39
    while low < high {
      let middle = (low + high) / 2
      if middle == 39 || value < powers[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The coefficient divided by 10^count, rounded half to even. `sticky` says that something not zero was already
  /// cut off behind the last digit.
  mutating func drop(_ count: Int, sticky: Bool) {
    guard count > 0 else { return }
    exponent += count
    guard count <= 38 else {
      coefficient = 0
      return
    }
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: Self.power(count))
    let half = Self.power(count) / 2
    let roundsUp = remainder > half || remainder == half && (sticky || quotient & 1 == 1)
    coefficient = quotient + (roundsUp ? 1 : 0)
  }

  /// The number as 128 bits, rounded to 34 digits, to infinity or to zero where it does not fit.
  func decimal(sticky: Bool = false) -> Decimal128 {
    var parts = self
    let surplus = Self.digitCount(coefficient) - 34
    let belowRange = -6176 - exponent
    parts.drop(max(surplus, belowRange, 0), sticky: sticky)
    if parts.coefficient >= Self.limit { parts.drop(1, sticky: false) }
    if parts.coefficient == 0 {
      parts.exponent = min(max(parts.exponent, -6176), 6111)
    } else if parts.exponent > 6111 {
      let padding = parts.exponent - 6111
      guard padding <= 34 - Self.digitCount(parts.coefficient) else { return .infinity(isNegative: isNegative) }
      parts.coefficient *= Self.power(padding)
      parts.exponent = 6111
    }
    return Decimal128(isNegative: isNegative, coefficient: parts.coefficient, exponent: parts.exponent) ?? .nan
  }
}

extension Decimal128 {
  /// Sign, coefficient and exponent of a finite number. Coefficients past 34 digits stand for zero, as the standard
  /// has it.
  var parts: DecimalParts {
    let isLargeForm = high >> 61 & 3 == 3
    let usable = !isLargeForm && coefficient < DecimalParts.limit
    return DecimalParts(
      isNegative: isNegative, coefficient: usable ? coefficient : 0, exponent: isLargeForm ? 0 : exponent)
  }

  /// Not a number.
  public static let nan = Decimal128(high: 0x7C00_0000_0000_0000, low: 0)

  /// Positive or negative infinity.
  public static func infinity(isNegative: Bool = false) -> Decimal128 {
    Decimal128(high: isNegative ? 0xF800_0000_0000_0000 : 0x7800_0000_0000_0000, low: 0)
  }

  /// Whether the number is zero, of either sign and any exponent.
  public var isZero: Bool { isFinite && parts.coefficient == 0 }

  /// The number, exactly.
  public init(_ value: Int64) {
    self = DecimalParts(isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0).decimal()
  }

  /// The number, exactly.
  public init(_ value: Int) { self.init(Int64(value)) }

  /// The number rounded to this many significant digits; a `Double` carries 15 for certain, a `Float` 7.
  ///
  ///     Decimal128(0.1, significantDigits: 15)      // 0.1
  public init(_ value: Double, significantDigits: Int = 15) {
    self.init(shortest: value.description, significantDigits: significantDigits)
  }

  /// The number rounded to 7 significant digits.
  public init(_ value: Float) { self.init(shortest: value.description, significantDigits: 7) }

  private init(shortest text: String, significantDigits: Int) {
    guard let exact = Decimal128(validating: text) else {
      self = .nan
      return
    }
    guard exact.isFinite else {
      self = exact
      return
    }
    var parts = exact.parts
    parts.drop(DecimalParts.digitCount(parts.coefficient) - significantDigits, sticky: false)
    while parts.exponent < 0, parts.coefficient % 10 == 0, parts.coefficient != 0 { parts.drop(1, sticky: false) }
    if parts.coefficient == 0 { parts.exponent = 0 }
    self = parts.decimal()
  }

  /// The nearest `Double`; values too large become infinite.
  public var doubleValue: Double {
    if isNaN { return .nan }
    if isInfinite { return isNegative ? -.infinity : .infinity }
    return Double(description) ?? .nan
  }
}
