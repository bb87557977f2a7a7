/// Writes documents in the canonical form: two spaces per level, one selection per line, no commas between selections.
///
/// The text reads back as the same document.
struct Printer {
  private(set) var text = ""
  private var level = 0

  mutating func write(_ string: String) { text += string }

  mutating func line() {
    text += "\n"
    for _ in 0..<level { text += "  " }
  }

  /// Elements between braces, one per line.
  mutating func block<T>(_ elements: [T], _ element: (inout Printer, T) -> Void) {
    lines("{", elements, "}", element)
  }

  /// Elements between parentheses, one per line.
  mutating func parenthesised<T>(_ elements: [T], _ element: (inout Printer, T) -> Void) {
    lines("(", elements, ")", element)
  }

  private mutating func lines<T>(
    _ open: String, _ elements: [T], _ close: String, _ element: (inout Printer, T) -> Void
  ) {
    write(open)
    guard !elements.isEmpty else { return write(close) }
    level += 1
    for item in elements {
      line()
      element(&self, item)
    }
    level -= 1
    line()
    write(close)
  }

  mutating func joined<T>(_ elements: [T], _ separator: String, _ element: (inout Printer, T) -> Void) {
    for (index, item) in elements.enumerated() {
      if index > 0 { write(separator) }
      element(&self, item)
    }
  }

  // MARK: Values

  mutating func value(_ literal: ValueLiteral) {
    switch literal.kind {
    case .variable(let name): write("$" + name)
    case .int(let digits), .float(let digits), .enumeration(let digits): write(digits)
    case .string(let string): self.string(string)
    case .boolean(let value): write(value ? "true" : "false")
    case .null: write("null")
    case .list(let elements):
      write("[")
      joined(elements, ", ") { $0.value($1) }
      write("]")
    case .object(let fields):
      write("{")
      joined(fields, ", ") { $0.argument($1) }
      write("}")
    }
  }

  mutating func argument(_ argument: Argument) {
    write(argument.name.text + ": ")
    value(argument.value)
  }

  mutating func arguments(_ arguments: [Argument]) {
    guard !arguments.isEmpty else { return }
    write("(")
    joined(arguments, ", ") { $0.argument($1) }
    write(")")
  }

  mutating func directives(_ directives: [Directive]) {
    for directive in directives {
      write(" @" + directive.name.text)
      arguments(directive.arguments)
    }
  }

  mutating func description(_ literal: StringLiteral?) {
    guard let literal else { return }
    string(literal)
    line()
  }

  mutating func string(_ literal: StringLiteral) {
    if literal.isBlock, let block = Printer.blockLines(of: literal.value) {
      write("\"\"\"")
      for blockLine in block {
        if blockLine.isEmpty { write("\n") } else { line() }
        write(blockLine)
      }
      line()
      write("\"\"\"")
    } else {
      write(Printer.quoted(literal.value))
    }
  }

  /// A string in one pair of quotes.
  static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// The lines of a block string with this value; nil when no block string has it.
  private static func blockLines(of value: String) -> [String]? {
    guard !value.isEmpty, !value.unicodeScalars.contains("\r") else { return nil }
    let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    func isBlank(_ line: String) -> Bool { line.unicodeScalars.allSatisfy { $0 == " " || $0 == "\t" } }
    guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else { return nil }
    // The decoder takes the indentation that all lines share, and lines of white space are kept as they are only
    // when nothing is taken from them.
    guard lines.allSatisfy({ !isBlank($0) || $0.isEmpty }) else { return nil }
    guard lines.contains(where: { $0.unicodeScalars.first.map { $0 != " " && $0 != "\t" } ?? false }) else {
      return nil
    }
    guard !value.hasSuffix("\\") else { return nil }
    return lines.map { escapedBlock($0) }
  }

  private static func escapedBlock(_ line: String) -> String {
    var text: [UInt8] = []
    var quotes = 0
    for byte in line.utf8 {
      quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
      text.append(byte)
      if quotes == 3 {
        text.replaceSubrange((text.count - 3)..., with: Array("\\\"\"\"".utf8))
        quotes = 0
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
