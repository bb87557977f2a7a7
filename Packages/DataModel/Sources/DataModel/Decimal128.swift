/// A decimal number of up to 34 digits: IEEE 754-2008 decimal128 in its binary integer encoding.
///
///     let price: Decimal128 = 19.90
///     price * 3                                     // 59.7
///     try Decimal128(string: "1") / 3               // 0.3333333333333333333333333333333333
///
/// The value is `(-1)^sign × coefficient × 10^exponent`. Arithmetic rounds half to even and keeps the exponent that the
/// standard prefers, so 1.50 × 2 is written 3.00. Equality and order are those of the numbers, whatever the exponents.
public struct Decimal128: Sendable {
  /// The upper half of the 128 bits: sign, combination field and the top of the coefficient.
  public let high: UInt64
  /// The lower half of the 128 bits.
  public let low: UInt64

  /// The number of these 128 bits; every pattern is a number, an infinity or a NaN.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The difference between the stored exponent field and the true exponent.
  static let exponentBias = 6176

  /// The number with this sign, coefficient and unbiased exponent.
  ///
  /// - Parameters:
  ///   - coefficient: below 2^113.
  ///   - exponent: from -6176 to 6111.
  /// - Returns: nil when either is out of range.
  public init?(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    let biased = exponent + Self.exponentBias
    guard coefficient >> 113 == 0, biased >= 0, biased < 0x3000 else { return nil }
    let bits = UInt128(isNegative ? 1 : 0) << 127 | UInt128(biased) << 113 | coefficient
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  /// Whether the sign bit is set.
  public var isNegative: Bool { high >> 63 == 1 }
  /// Whether the number is neutral to arithmetic: not a number.
  public var isNaN: Bool { high >> 58 & 0x1F == 0x1F }
  /// Whether the number is positive or negative infinity.
  public var isInfinite: Bool { high >> 58 & 0x1F == 0x1E }
  /// Whether the number is neither infinite nor NaN.
  public var isFinite: Bool { !isNaN && !isInfinite }

  /// The coefficient field: 113 bits. Meaningful for finite numbers.
  public var coefficient: UInt128 {
    (UInt128(high) << 64 | UInt128(low)) & (UInt128(1) << 113 - 1)
  }

  /// The unbiased exponent, from -6176 to 6111. Meaningful for finite numbers.
  public var exponent: Int { Int(high >> 49 & 0x3FFF) - Self.exponentBias }
}
