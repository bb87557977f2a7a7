/// A JSON document in memory, read by a strict reader and written without white space.
///
///     try JSONValue(parsing: #"{"level":"debug"}"#).text     // {"level":"debug"}
///
/// Guarantee: members keep their order and numbers keep their text, so writing a document that was read changes nothing but
/// white space and escapes. For documents that fit into memory as a whole.
public enum JSONValue: Hashable, Sendable {
  /// null.
  case null
  /// true or false.
  case bool(Bool)
  /// The text of the number in the document.
  case number(String)
  /// The unescaped text.
  case string(String)
  /// The elements in order.
  case array([JSONValue])
  /// The members in order; a name may occur more than once.
  case object([(key: String, value: JSONValue)])

  /// The member of an object; nil when absent, and for other values. The last of several members with one name counts.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The text of a string; nil for other values.
  public var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }
  /// The truth value; nil for other values.
  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }
  /// The number, when it is written as an integer from 0 to 2^64-1.
  public var unsignedInteger: UInt64? {
    if case .number(let text) = self { return UInt64(text) }
    return nil
  }
  /// The number, when it is written as an integer from -2^63 to 2^63-1.
  public var integer: Int64? {
    if case .number(let text) = self { return Int64(text) }
    return nil
  }
  /// The elements of an array; nil for other values.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  /// The members of an object in order; nil for other values.
  public var members: [(key: String, value: JSONValue)]? {
    if case .object(let members) = self { return members }
    return nil
  }

  /// Equality of documents: members in the same order, numbers with the same text.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// Hashes the text of the document. O(*n*).
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONValue {
  /// The document without white space. Escaped are control characters, quotes and backslashes, and nothing else.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.writeString(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.writeString(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func writeString(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22: text += "\\\""
      case 0x5C: text += "\\\\"
      case 0x08: text += "\\b"
      case 0x09: text += "\\t"
      case 0x0A: text += "\\n"
      case 0x0C: text += "\\f"
      case 0x0D: text += "\\r"
      case 0..<0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
