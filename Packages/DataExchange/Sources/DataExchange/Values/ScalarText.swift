public import DataModel
import Foundation

/// The plain text of a scalar whose type is known, and back. Nothing is lost: every value reads back as itself.
public enum ScalarText {
  /// The text of a value; nil for null, links and collections.
  public static func text(_ value: Value) -> String? {
    switch value {
    case .null, .link, .list, .dictionary: nil
    case .int(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value
    case .data(let value): Data(value).base64EncodedString()
    case .timestamp(let value): value.isoText
    case .float(let value): floating(value)
    case .double(let value): floating(value)
    case .decimal128(let value): decimal(value)
    case .objectId(let value): value.stringValue
    case .uuid(let value): value.uuidString.lowercased()
    }
  }

  /// The value of a type that a text denotes; nil when it denotes none.
  public static func value(_ text: String, _ type: PropertyType) -> Value? {
    switch type {
    case .int: return Int64(text).map { .int($0) }
    case .bool:
      switch text.lowercased() {
      case "true", "1", "yes": return .bool(true)
      case "false", "0", "no": return .bool(false)
      default: return nil
      }
    case .string: return .string(text)
    case .data: return Data(base64Encoded: text).map { .data(Array($0)) }
    case .date: return Timestamp(isoText: text).map { .timestamp($0) }
    case .float: return number(text).flatMap { Float($0) }.map { .float($0) }
    case .double: return number(text).flatMap { Double($0) }.map { .double($0) }
    case .decimal128: return decimal(text).map { .decimal128($0) }
    case .objectId: return (try? ObjectId(string: text)).map { .objectId($0) }
    case .UUID: return UUID(uuidString: text).map { .uuid($0) }
    case .object, .linkingObjects, .any: return nil
    }
  }

  /// The look of a text of a type, for messages.
  public static func expectation(_ type: PropertyType) -> String {
    switch type {
    case .int: "a whole number of 64 bits"
    case .bool: "true or false"
    case .string: "a text"
    case .data: "base64"
    case .date: "a date such as 2026-01-31T12:00:00Z"
    case .float, .double: "a number, NaN, Infinity or -Infinity"
    case .decimal128: "a decimal number, NaN, Infinity or -Infinity"
    case .objectId: "24 hexadecimal digits"
    case .UUID: "a UUID"
    case .object: "the key of an object"
    case .any: "a value"
    case .linkingObjects: "nothing"
    }
  }

  private static func floating<T: BinaryFloatingPoint & LosslessStringConvertible>(_ value: T) -> String {
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
  }

  private static func number(_ text: String) -> String? {
    switch text {
    case "NaN", "Infinity", "-Infinity": return text
    default:
      // Swift reads hexadecimal and other spellings too, which no other program writes.
      return text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) } ? text : nil
    }
  }

  /// The decimal text, or the bits in hexadecimal where the text loses some, as of a NaN with a payload.
  private static func decimal(_ value: Decimal128) -> String {
    let text = value.description
    if Decimal128(validating: text)?.isIdentical(to: value) == true { return text }
    func digits(_ half: UInt64) -> String {
      let text = String(half, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return "0x" + digits(value.high) + digits(value.low)
  }

  private static func decimal(_ text: String) -> Decimal128? {
    guard text.hasPrefix("0x"), text.utf8.count == 34 else { return Decimal128(validating: text) }
    let digits = text.dropFirst(2)
    guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16) else {
      return nil
    }
    return Decimal128(high: high, low: low)
  }
}
