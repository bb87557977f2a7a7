extension Decimal128 {
  /// Compares by value: negative, zero or positive as this number is below, equal to or above the other.
  ///
  ///     try Decimal128(string: "1.0").compare(Decimal128(string: "1.00"))      // 0
  ///
  /// A total order: NaN equals NaN and is below every number; the two zeros are equal.
  public func compare(_ other: Decimal128) -> Int {
    if isNaN || other.isNaN { return (isNaN ? 0 : 1) - (other.isNaN ? 0 : 1) }
    let left = signum
    let right = other.signum
    if left != right { return left < right ? -1 : 1 }
    if left == 0 { return 0 }
    return left * compareMagnitude(other)
  }

  /// -1, 0 or 1 as the number is below, equal to or above zero.
  public var signum: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private func compareMagnitude(_ other: Decimal128) -> Int {
    if isInfinite || other.isInfinite { return (isInfinite ? 1 : 0) - (other.isInfinite ? 1 : 0) }
    var left = parts
    var right = other.parts
    let leftTop = DecimalParts.digitCount(left.coefficient) + left.exponent
    let rightTop = DecimalParts.digitCount(right.coefficient) + right.exponent
    if leftTop != rightTop { return leftTop < rightTop ? -1 : 1 }
    // Equal tops: the exponents are at most 33 apart and the scaled coefficient keeps to 34 digits.
    if left.exponent > right.exponent { left.coefficient *= DecimalParts.power(left.exponent - right.exponent) }
    if right.exponent > left.exponent { right.coefficient *= DecimalParts.power(right.exponent - left.exponent) }
    return left.coefficient == right.coefficient ? 0 : left.coefficient < right.coefficient ? -1 : 1
  }

  /// The same value with the shortest coefficient: equal for all representations of one number.
  public var normalized: Decimal128 {
    guard isFinite else { return isNaN ? .nan : self }
    var parts = parts
    if parts.coefficient == 0 { return Decimal128(0) }
    while parts.coefficient % 10 == 0, parts.exponent < 6111 {
      parts.coefficient /= 10
      parts.exponent += 1
    }
    return parts.decimal()
  }
}
