import DataModel
import Foundation

/// Single values as texts that PostgreSQL reads and writes, and back.
enum ScalarText {
  /// The text of a value; nil for null.
  ///
  /// - Throws: ``Unfit`` for a value that PostgreSQL cannot hold.
  static func text(_ value: Value) throws -> String? {
    switch value {
    case .null: nil
    case .int(let number): String(number)
    case .bool(let flag): flag ? "t" : "f"
    case .string(let text): try checked(text)
    case .data(let bytes): "\\x" + hex(bytes)
    case .timestamp(let time): try TimeText.text(time)
    case .float(let number):
      number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .double(let number):
      number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    case .decimal128(let number):
      number.isFinite
        ? number.description : number == .nan || number != number ? "NaN" : number.isNegative ? "-Infinity" : "Infinity"
    case .objectId(let id): id.description
    case .uuid(let uuid): uuid.uuidString.lowercased()
    case .link(let target): try text(target.key)
    case .list, .dictionary: throw Unfit("a nested collection is no single value")
    }
  }

  /// The text of a primary key.
  static func text(_ key: ObjectKey) throws -> String? {
    switch key {
    case .null: nil
    case .int(let number): String(number)
    case .string(let text): try checked(text)
    case .objectId(let id): id.description
    case .uuid(let uuid): uuid.uuidString.lowercased()
    case .global: throw Unfit("an object without a primary key has no row")
    }
  }

  static func checked(_ text: String) throws -> String {
    guard !text.utf8.contains(0) else { throw Unfit("a text with the character NUL does not fit into PostgreSQL") }
    return text
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// The value of a text, of a type.
  ///
  /// - Parameter sqlType: the type of its column.
  /// - Throws: ``Unfit`` for a text that the type cannot hold exactly.
  static func value(_ text: String, _ type: PropertyType, sqlType: String = "") throws -> Value {
    switch type {
    case .int: .int(try parsed(Int64(text), text, "a 64-bit integer"))
    case .bool: .bool(try parsed(["t": true, "true": true, "f": false, "false": false][text], text, "a truth value"))
    case .string:
      .string(sqlType.hasPrefix("character(") ? String(text.reversed().drop { $0 == " " }.reversed()) : text)
    case .data: .data(try parsed(bytes(text), text, "a run of bytes"))
    case .date: .timestamp(try TimeText.time(text))
    case .float: .float(try parsed(Float(text), text, "a number"))
    case .double: .double(try parsed(Double(text), text, "a number"))
    case .decimal128: .decimal128(try decimal(text))
    case .objectId: .objectId(try parsed(try? ObjectId(string: text), text, "an object id"))
    case .UUID: .uuid(try parsed(UUID(uuidString: text), text, "a UUID"))
    case .object, .linkingObjects, .any: throw Unfit("'\(text)' is no single value")
    }
  }

  /// The primary key of a text.
  static func key(_ text: String, _ type: PropertyType, sqlType: String = "") throws -> ObjectKey {
    switch try value(text, type, sqlType: sqlType) {
    case .int(let number): .int(number)
    case .string(let text): .string(text)
    case .objectId(let id): .objectId(id)
    case .uuid(let uuid): .uuid(uuid)
    case .null, .bool, .data, .timestamp, .float, .double, .decimal128, .link, .list, .dictionary:
      throw Unfit("'\(text)' is no primary key")
    }
  }

  private static func parsed<Parsed>(_ value: Parsed?, _ text: String, _ kind: String) throws -> Parsed {
    guard let value else { throw Unfit("'\(text.prefix(64))' is not \(kind)") }
    return value
  }

  private static func decimal(_ text: String) throws -> Decimal128 {
    if text == "NaN" { return .nan }
    if text.hasSuffix("Infinity") { return .infinity(isNegative: text.hasPrefix("-")) }
    let digits = text.filter(\.isNumber).drop { $0 == "0" }
    let significant = String(digits.reversed().drop { $0 == "0" })
    guard significant.count <= 34, let number = Decimal128(validating: text), number.isFinite else {
      throw Unfit("'\(text.prefix(64))' has more than the 34 digits of a Decimal128")
    }
    return number
  }

  static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("\\x"), text.utf8.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8.dropFirst(2) {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return bytes
  }
}
