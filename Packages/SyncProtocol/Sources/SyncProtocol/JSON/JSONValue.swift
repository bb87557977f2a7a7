/// A JSON value, for the small bodies of the protocol. Members keep their order; numbers keep their text.
///
///     try JSONValue(parsing: #"{"level":"debug"}"#).text     // {"level":"debug"}
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The text of the number, as it stands in JSON.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// The member of an object; nil when absent or when this is no object. Of several the last counts.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }
  /// The truth value, if this is one.
  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }
  /// The number, if this is a whole one that is not negative and fits.
  public var unsignedInteger: UInt64? {
    if case .number(let text) = self { return UInt64(text) }
    return nil
  }
  /// The elements, if this is an array.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

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

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONValue {
  /// The value as JSON without white space. Only what must be escaped is: control characters, quotes and backslashes.
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
