import TextWidth

/// A JSON value to print. Objects keep the order in which their members were given.
///
///     JSONOutput.object([("title", "milk"), ("done", false)]).text   // {"title":"milk","done":false}
public enum JSONOutput: Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number; infinities and NaN, which JSON lacks, are printed as null.
  case number(Double)
  case text(String)
  case array([JSONOutput])
  case object([(name: String, value: JSONOutput)])

  /// The value on one line.
  public var text: String {
    var output = ""
    write(to: &output, indent: nil)
    return output
  }

  /// The value over several lines, indented by two spaces.
  public var prettyText: String {
    var output = ""
    write(to: &output, indent: 0)
    return output
  }

  private func write(to output: inout String, indent: Int?) {
    switch self {
    case .null: output += "null"
    case .boolean(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .number(let value): output += value.isFinite ? "\(value)" : "null"
    case .text(let value): Self.write(value, to: &output)
    case .array(let elements):
      Self.write(elements, between: ("[", "]"), to: &output, indent: indent) { element, output, indent in
        element.write(to: &output, indent: indent)
      }
    case .object(let members):
      Self.write(members, between: ("{", "}"), to: &output, indent: indent) { member, output, indent in
        Self.write(member.name, to: &output)
        output += indent == nil ? ":" : ": "
        member.value.write(to: &output, indent: indent)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between ends: (String, String), to output: inout String, indent: Int?,
    _ one: (Element, inout String, Int?) -> Void
  ) {
    output += ends.0
    for (position, element) in elements.enumerated() {
      if position > 0 { output += "," }
      if let indent { output += "\n" + String(repeating: "  ", count: indent + 1) }
      one(element, &output, indent.map { $0 + 1 })
    }
    if let indent, !elements.isEmpty { output += "\n" + String(repeating: "  ", count: indent) }
    output += ends.1
  }

  private static func write(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where TextCleaning.isHidden(scalar): escape(scalar, to: &output)
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension JSONOutput {
  /// JSON in which the characters that a terminal would obey, or that cannot be seen, are escaped. They stand only in
  /// texts, so no value changes.
  static func escaped(_ json: String) -> String {
    if json.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }) { return json }
    var output = ""
    for scalar in json.unicodeScalars {
      if TextCleaning.isHidden(scalar), scalar != "\n", scalar != "\t", scalar != "\r" {
        escape(scalar, to: &output)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  private static func escape(_ scalar: Unicode.Scalar, to output: inout String) {
    for unit in scalar.utf16 {
      let hex = String(unit, radix: 16)
      output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
  }
}

extension JSONOutput: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONOutput: ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
  /// An array.
  public init(arrayLiteral elements: JSONOutput...) { self = .array(elements) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
