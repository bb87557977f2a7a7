/// Twelve bytes that identify an object: four of time, five of origin, three of a counter.
///
///     try ObjectId(string: "0123456789abcdef01234567").stringValue   // "0123456789abcdef01234567"
///
/// Ordered byte by byte, so identifiers made later by one process sort later.
public struct ObjectId: Hashable, Sendable, Comparable {
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt32

  /// The identifier of twelve zero bytes.
  public static let zero = ObjectId(high: 0, low: 0)

  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The identifier of exactly twelve bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 12 else { return nil }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt32(byte) }
    }
    self.init(high: high, low: low)
  }

  /// The identifier that 24 hexadecimal digits stand for.
  ///
  /// - Throws: ``DataModelError/invalidText(type:text:)`` for anything else.
  public init(string: String) throws {
    let text = string.utf8
    guard text.count == 24 else { throw DataModelError.invalidText(type: "ObjectId", text: string) }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for (index, character) in text.enumerated() {
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue else {
        throw DataModelError.invalidText(type: "ObjectId", text: string)
      }
      if index < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt32(digit) }
    }
    self.init(high: high, low: low)
  }

  /// The twelve bytes, most significant first.
  public var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64($0))) }
      + (0..<4).map { UInt8(truncatingIfNeeded: low >> (24 - 8 * UInt32($0))) }
  }

  /// 24 lower-case hexadecimal digits.
  public var stringValue: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Compares byte by byte.
  public static func < (left: ObjectId, right: ObjectId) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension ObjectId: CustomStringConvertible {
  /// 24 lower-case hexadecimal digits.
  public var description: String { stringValue }
}
