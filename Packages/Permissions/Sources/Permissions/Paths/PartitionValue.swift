internal import FoundationEssentials

/// The value by which a stock app divides its data into realms, as it arrives in BIND: extended JSON, byte for byte.
///
///     PartitionValue(extendedJSON: #"{"$numberLong":"42"}"#)  // .long(42)
///
/// A 32-bit and a 64-bit integer of equal value are different partitions: the client keeps two files for them.
public enum PartitionValue: Hashable, Sendable, CustomStringConvertible {
  case null
  case string(String)
  /// A 32-bit integer.
  case int(Int32)
  /// A 64-bit integer.
  case long(Int64)
  /// 12 bytes as 24 lower-case hexadecimal digits.
  case objectId(String)
  /// 16 bytes as 32 lower-case hexadecimal digits.
  case uuid(String)

  /// The value of a serialized partition; nil when it is none.
  public init?(extendedJSON text: String) {
    guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)) else { return nil }
    switch tree {
    case .null: self = .null
    case .text(let value): self = .string(value)
    case .number(let value): self = .long(value)
    case .object(let members):
      guard members.count == 1, let (name, value) = members.first, let wrapped = Self(name: name, value) else {
        return nil
      }
      self = wrapped
    }
  }

  private init?(name: String, _ value: JSONTree) {
    switch (name, value) {
    case ("$numberInt", .text(let digits)):
      guard let number = Int32(digits) else { return nil }
      self = .int(number)
    case ("$numberLong", .text(let digits)):
      guard let number = Int64(digits) else { return nil }
      self = .long(number)
    case ("$oid", .text(let digits)):
      guard digits.utf8.count == 24, digits.utf8.allSatisfy(\.isHexDigit) else { return nil }
      self = .objectId(digits.lowercased())
    case ("$uuid", .text(let text)):
      let digits = text.filter { $0 != "-" }
      guard digits.utf8.count == 32, digits.utf8.allSatisfy(\.isHexDigit) else { return nil }
      self = .uuid(digits.lowercased())
    case ("$binary", .object(let members)):
      guard members.count == 2, case .text("04")? = members["subType"], case .text(let base64)? = members["base64"],
        let bytes = Data(base64Encoded: base64), bytes.count == 16
      else { return nil }
      self = .uuid(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    default: return nil
    }
  }

  /// The one serialization of this value, which parses back to it.
  public var description: String {
    switch self {
    case .null: "null"
    case .string(let text): Self.quoted(text)
    case .int(let number): "{\"$numberInt\":\"\(number)\"}"
    case .long(let number): "{\"$numberLong\":\"\(number)\"}"
    case .objectId(let digits): "{\"$oid\":\"\(digits)\"}"
    case .uuid(let digits): "{\"$uuid\":\"\(digits)\"}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// As much of JSON as partitions use.
private enum JSONTree: Decodable {
  case null
  case text(String)
  case number(Int64)
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case 48...57, 65...70, 97...102: true
    default: false
    }
  }
}
