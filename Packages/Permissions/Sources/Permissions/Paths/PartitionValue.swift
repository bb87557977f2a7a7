internal import FoundationEssentials

/// The value by which a stock app divides its data into realms, as it arrives in BIND: extended JSON, byte for byte.
///
///     PartitionValue(extendedJSON: #"{"$numberLong":"42"}"#)  // .long(42)
///
/// A 32-bit and a 64-bit integer of equal value are different partitions: the client keeps two files for them.
public enum PartitionValue: Hashable, Sendable, CustomStringConvertible {
  /// The partition of objects without a value.
  case null
  /// Text.
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
    guard let decoded = try? JSONDecoder().decode(ExtendedJSON.self, from: Data(text.utf8)) else { return nil }
    self = decoded.value
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

/// The decoding of a partition: null, a string, an integer, or an object whose single member names the type.
private struct ExtendedJSON: Decodable {
  let value: PartitionValue

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      value = .null
    } else if let text = try? single.decode(String.self) {
      value = .string(text)
    } else if let number = try? single.decode(Int64.self) {
      value = .long(number)
    } else {
      let members = try decoder.container(keyedBy: Member.self)
      guard members.allKeys.count == 1, let member = members.allKeys.first, let value = try Self.value(member, members)
      else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no partition value"))
      }
      self.value = value
    }
  }

  private static func value(
    _ member: Member, _ members: KeyedDecodingContainer<Member>
  ) throws -> PartitionValue? {
    if member.stringValue == "$binary" {
      return try binary(members.nestedContainer(keyedBy: Member.self, forKey: member))
    }
    let text = try members.decode(String.self, forKey: member)
    switch member.stringValue {
    case "$numberInt": return Int32(text).map { .int($0) }
    case "$numberLong": return Int64(text).map { .long($0) }
    case "$oid": return isHex(text, digits: 24) ? .objectId(text.lowercased()) : nil
    case "$uuid":
      let digits = text.filter { $0 != "-" }
      return isHex(digits, digits: 32) ? .uuid(digits.lowercased()) : nil
    default: return nil
    }
  }

  /// A UUID as BSON has it: binary data of subtype 4.
  private static func binary(_ members: KeyedDecodingContainer<Member>) throws -> PartitionValue? {
    guard members.allKeys.count == 2, try members.decode(String.self, forKey: Member("subType")) == "04",
      let bytes = Data(base64Encoded: try members.decode(String.self, forKey: Member("base64"))), bytes.count == 16
    else { return nil }
    return .uuid(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  private static func isHex(_ text: String, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
