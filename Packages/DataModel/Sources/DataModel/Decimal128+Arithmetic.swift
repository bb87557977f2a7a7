extension Decimal128 {
  /// The sum, rounded half to even to 34 digits.
  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN { return .nan }
    if left.isInfinite || right.isInfinite {
      if left.isInfinite, right.isInfinite { return left.isNegative == right.isNegative ? left : .nan }
      return left.isInfinite ? left : right
    }
    return sum(left.parts, right.parts)
  }

  /// The difference, rounded half to even to 34 digits.
  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 { left + -right }

  /// The number with the other sign.
  public static prefix func - (value: Decimal128) -> Decimal128 {
    Decimal128(high: value.high ^ 1 << 63, low: value.low)
  }

  /// The product, rounded half to even to 34 digits.
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN { return .nan }
    let isNegative = left.isNegative != right.isNegative
    if left.isInfinite || right.isInfinite {
      return left.isZero || right.isZero ? .nan : .infinity(isNegative: isNegative)
    }
    let (a, b) = (left.parts, right.parts)
    let product = a.coefficient.multipliedFullWidth(by: b.coefficient)
    var surplus = 0
    while surplus < 34, !isBelowPower(product, 37 + surplus) { surplus += 1 }
    let (quotient, remainder) = DecimalParts.power(surplus).dividingFullWidth(product)
    let parts = DecimalParts(isNegative: isNegative, coefficient: quotient, exponent: a.exponent + b.exponent + surplus)
    return parts.decimal(sticky: remainder != 0)
  }

  /// The quotient, rounded half to even to 34 digits. Division by zero gives an infinity, or NaN for zero by zero.
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN { return .nan }
    let isNegative = left.isNegative != right.isNegative
    if left.isInfinite { return right.isInfinite ? .nan : .infinity(isNegative: isNegative) }
    if right.isInfinite { return DecimalParts(isNegative: isNegative, coefficient: 0, exponent: -6176).decimal() }
    let (a, b) = (left.parts, right.parts)
    if b.coefficient == 0 { return a.coefficient == 0 ? .nan : .infinity(isNegative: isNegative) }
    if a.coefficient == 0 {
      return DecimalParts(isNegative: isNegative, coefficient: 0, exponent: a.exponent - b.exponent).decimal()
    }
    // Scale the dividend so that the quotient has 36 or 37 digits: two more than are kept.
    let shift = 36 - DecimalParts.digitCount(a.coefficient) + DecimalParts.digitCount(b.coefficient)
    let first = Swift.min(shift, 38 - DecimalParts.digitCount(a.coefficient))
    let dividend = (a.coefficient * DecimalParts.power(first)).multipliedFullWidth(
      by: DecimalParts.power(shift - first))
    let (quotient, remainder) = b.coefficient.dividingFullWidth(dividend)
    var parts = DecimalParts(isNegative: isNegative, coefficient: quotient, exponent: a.exponent - b.exponent - shift)
    if remainder == 0 {
      while parts.exponent < a.exponent - b.exponent, parts.coefficient % 10 == 0 { parts.drop(1, sticky: false) }
    }
    return parts.decimal(sticky: remainder != 0)
  }

  private static func isBelowPower(_ value: (high: UInt128, low: UInt128), _ exponent: Int) -> Bool {
    let power = DecimalParts.power(Swift.min(exponent, 38)).multipliedFullWidth(
      by: DecimalParts.power(Swift.max(exponent - 38, 0)))
    return value.high != power.high ? value.high < power.high : value.low < power.low
  }

  private static func sum(_ left: DecimalParts, _ right: DecimalParts) -> Decimal128 {
    var (big, small) = left.exponent >= right.exponent ? (left, right) : (right, left)
    if big.coefficient == 0 {
      if small.coefficient == 0 { small.isNegative = left.isNegative && right.isNegative }
      return small.decimal()
    }
    let scale = Swift.min(big.exponent - small.exponent, 37 - DecimalParts.digitCount(big.coefficient))
    big.coefficient *= DecimalParts.power(scale)
    big.exponent -= scale
    // Digits of the smaller number below the last of 37 decide nothing but the rounding: together they count as "more".
    let rest = Swift.min(big.exponent - small.exponent, 38)
    let (kept, cut) = small.coefficient.quotientAndRemainder(dividingBy: DecimalParts.power(rest))
    let sticky: UInt128 = cut == 0 ? 0 : 1
    var result = big
    if big.isNegative == small.isNegative {
      result.coefficient += kept
      if sticky == 1 { result.append(digit: 1) }
    } else if big.coefficient >= kept + sticky {
      result.coefficient -= kept + sticky
      if sticky == 1 { result.append(digit: 9) }
    } else {
      result.isNegative = small.isNegative
      result.coefficient = kept - big.coefficient
    }
    if result.coefficient == 0 { result.isNegative = false }
    return result.decimal()
  }
}

extension DecimalParts {
  fileprivate mutating func append(digit: UInt128) {
    coefficient = coefficient * 10 + digit
    exponent -= 1
  }
}
