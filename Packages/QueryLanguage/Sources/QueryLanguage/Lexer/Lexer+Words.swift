import DataModel
import FoundationEssentials

/// Identifiers, keywords, and the literals that begin with a letter.
extension Lexer {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
  }

  static func startsIdentifier(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  static func continuesIdentifier(_ byte: UInt8) -> Bool {
    startsIdentifier(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
  }

  /// Reads an identifier and decodes its escapes.
  mutating func identifier() throws(QueryError) -> String {
    var name: [UInt8] = []
    scan: while position < bytes.count {
      if Self.continuesIdentifier(bytes[position]) {
        name.append(bytes[position])
        position += 1
        continue
      }
      guard bytes[position] == UInt8(ascii: "\\") else { break }
      switch byte(1) {
      case 0x20: name.append(0x20)
      case UInt8(ascii: "n"): name.append(0x0A)
      case UInt8(ascii: "r"): name.append(0x0D)
      case UInt8(ascii: "t"): name.append(0x09)
      default: break scan
      }
      position += 2
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// A token that begins with a letter, `_`, `$` or a character past ASCII.
  mutating func word() throws(QueryError) -> Token {
    let start = position
    let first = bytes[start]
    if first == UInt8(ascii: "T"), let timestamp = try secondsTimestamp() {
      return Token(.constant(.timestamp(timestamp)), span: SourceSpan(start, position))
    }
    if first == UInt8(ascii: "B"), byte(1) == UInt8(ascii: "6"), byte(2) == UInt8(ascii: "4"),
      byte(3) == UInt8(ascii: "\"")
    {
      let string = try base64String()
      return Token(.constant(.string(string)), span: SourceSpan(start, position))
    }
    let name = try identifier()
    let span = SourceSpan(start, position)
    if byte() == UInt8(ascii: "("), name == "uuid" || name == "oid" { return try identifierLiteral(name, from: start) }
    if first == UInt8(ascii: "$"), let argument = argument(start..<position) { return Token(argument, span: span) }
    try refuseObjectKeys(start)
    switch name.lowercased() {
    case "inf", "infinity": return Token(.constant(.double(.infinity, digits: nil)), span: span)
    case "nan": return Token(.constant(.double(.nan, digits: nil)), span: span)
    default: return Token(.word(name), keyword: Keyword(name, dialect: dialect), span: span)
    }
  }

  /// `$12` and `$K12`.
  private func argument(_ range: Range<Int>) -> Token.Kind? {
    let isKeyPath = range.count > 2 && bytes[range.lowerBound + 1] == UInt8(ascii: "K")
    let digits = bytes[range].dropFirst(isKeyPath ? 2 : 1)
    guard !digits.isEmpty, digits.allSatisfy(Self.isDigit) else { return nil }
    let index = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000_000) }
    return isKeyPath ? .keyPathArgument(index) : .argument(index)
  }

  /// `O12` and `L1:2` name rows of another implementation's file.
  private func refuseObjectKeys(_ start: Int) throws(QueryError) {
    let word = bytes[start..<position]
    guard word.count > 1, word.dropFirst().allSatisfy(Self.isDigit) else { return }
    let isLink = bytes[start] == UInt8(ascii: "L") && byte() == UInt8(ascii: ":") && Self.isDigit(byte(1))
    if bytes[start] == UInt8(ascii: "O") || isLink {
      throw failure(
        "physical object keys are reserved", from: start, hint: "name objects by primary key: obj(\"Class\", key)")
    }
  }

  /// `uuid(…)` and `oid(…)`.
  private mutating func identifierLiteral(_ name: String, from start: Int) throws(QueryError) -> Token {
    position += 1
    let content = position
    while Self.isHexDigit(byte()) || byte() == UInt8(ascii: "-") { position += 1 }
    let text = String(decoding: bytes[content..<position], as: UTF8.self)
    guard byte() == UInt8(ascii: ")") else {
      throw failure("malformed \(name)(…)", from: start, hint: Self.identifierHint(name))
    }
    position += 1
    let span = SourceSpan(start, position)
    if name == "oid", let id = try? ObjectId(string: text) { return Token(.constant(.objectId(id)), span: span) }
    if name == "uuid", text.utf8.count == 36, let id = UUID(uuidString: text) {
      return Token(.constant(.uuid(id)), span: span)
    }
    throw failure("malformed \(name)(…)", from: start, hint: Self.identifierHint(name))
  }

  private static func identifierHint(_ name: String) -> String {
    name == "oid"
      ? "24 hexadecimal digits without blanks: oid(64b1f0c2a1b2c3d4e5f60001)"
      : "8-4-4-4-12 hexadecimal digits without blanks: uuid(3f2504e0-4f89-11d3-9a0c-0305e82c3301)"
  }

  /// `%@`, `%K`, `%d` … of format strings.
  mutating func formatSpecifier() throws(QueryError) -> Token {
    let start = position
    let specifiers = ["@", "K", "lld", "llu", "ld", "lu", "lf", "d", "i", "u", "f", "g", "D", "U"]
    for specifier in specifiers where bytes[(start + 1)...].starts(with: Array(specifier.utf8)) {
      position = start + 1 + specifier.utf8.count
      let index = specifierCount
      specifierCount += 1
      let span = SourceSpan(start, position)
      return Token(specifier == "K" ? .keyPathArgument(index) : .argument(index), span: span)
    }
    position = min(bytes.count, start + 2)
    let shown = String(decoding: bytes[start..<position], as: UTF8.self)
    throw failure("unknown format specifier '\(shown)'", from: start, hint: "use %@ for values and %K for key paths")
  }
}
