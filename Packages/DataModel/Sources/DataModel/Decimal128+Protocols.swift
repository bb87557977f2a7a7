// Decimal128 as one of Swift's numbers.

extension Decimal128: Hashable, Comparable {
  /// Whether both are the same number: 1.0 equals 1.00, the two zeros are equal, and NaN equals NaN, so that it can be
  /// found in a set. See ``isIdentical(to:)`` for equality of representation.
  public static func == (left: Decimal128, right: Decimal128) -> Bool {
    left.high == right.high && left.low == right.low || left.compare(right) == 0
  }

  /// Whether the 128 bits are the same.
  public func isIdentical(to other: Decimal128) -> Bool { high == other.high && low == other.low }

  /// Whether the left number is below the right one; a total order, see ``compare(_:)``.
  public static func < (left: Decimal128, right: Decimal128) -> Bool { left.compare(right) < 0 }

  /// Adds the normalized number, so that 1.0 and 1.00 hash alike.
  public func hash(into hasher: inout Hasher) {
    let value = normalized
    hasher.combine(value.high)
    hasher.combine(value.low)
  }
}

extension Decimal128: SignedNumeric, Strideable {
  /// Decimals are their own magnitude.
  public typealias Magnitude = Decimal128
  /// Decimals are their own distance.
  public typealias Stride = Decimal128

  /// Zero.
  public init() { self.init(0 as Int64) }

  /// The integer; nil when it has more than 34 digits that matter.
  public init?<T: BinaryInteger>(exactly source: T) {
    if let value = Int64(exactly: source) {
      self.init(value)
      return
    }
    var exponent = 0
    var rest = source.magnitude
    while rest != 0, rest % 10 == 0 {
      rest /= 10
      exponent += 1
    }
    guard let coefficient = UInt128(exactly: rest), coefficient < DecimalParts.limit else { return nil }
    self = DecimalParts(isNegative: source.signum() < 0, coefficient: coefficient, exponent: exponent).decimal()
  }

  /// The number without its sign.
  public var magnitude: Decimal128 { Decimal128(high: high & ~(1 << 63), low: low) }

  /// Adds; rounded half to even to 34 digits.
  public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }
  /// Subtracts; rounded half to even to 34 digits.
  public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }
  /// Multiplies; rounded half to even to 34 digits.
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }
  /// Divides; rounded half to even to 34 digits.
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

  /// The other number minus this one.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  /// The sum of both.
  public func advanced(by amount: Decimal128) -> Decimal128 { self + amount }

  /// The greatest finite number: 34 nines and 6111 zeros.
  public static let max = DecimalParts(isNegative: false, coefficient: DecimalParts.limit - 1, exponent: 6111).decimal()
  /// The least finite number: ``max`` with the other sign.
  public static let min = -max

  /// Whether the value is a NaN that asks for attention. Arithmetic makes no such NaN.
  public var isSignalingNaN: Bool { high >> 57 & 0x3F == 0x3F }
  /// A NaN that asks for attention.
  public static var signalingNaN: Decimal128 { Decimal128(high: 0x7E00_0000_0000_0000, low: 0) }
  /// Whether the value is a NaN that asks for attention.
  public var isSignaling: Bool { isSignalingNaN }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// The integer, exactly.
  public init(integerLiteral value: Int64) { self.init(value) }
  /// The number rounded to 15 significant digits: the digits as written, unless there are more.
  public init(floatLiteral value: Double) { self.init(value) }
  /// The number that the text denotes; NaN when it denotes none.
  public init(stringLiteral value: String) { self = Decimal128(validating: value) ?? .nan }
}

extension Decimal128: Codable {
  /// Decodes a text, an integer or a floating point number.
  ///
  /// - Throws: `DecodingError` for everything else, and for a text that is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value = Decimal128(validating: text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no decimal number.")
      }
      self = value
    } else if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else {
      self.init(try container.decode(Double.self))
    }
  }

  /// Encodes the number as ``stringValue``, the text that RealmSwift encodes.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
