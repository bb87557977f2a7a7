/// Cuts UTF-8 bytes into tokens, one at a time: the longest match at each place. O(1) memory beside the text.
///
/// White space, commas, comments and a byte order mark are skipped.
struct Lexer {
  let bytes: [UInt8]
  var position = 0
  /// Tokens that were handed out; the bound of ``GraphQLLimits`` counts them.
  private(set) var tokenCount = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at a distance from the present place; 0 past the end.
  @inline(__always)
  func byte(_ distance: Int = 0) -> UInt8 {
    let at = position + distance
    return at < bytes.count ? bytes[at] : 0
  }

  func failure(_ message: String, at offset: Int) -> GraphQLError {
    let location = SourceText(bytes: bytes).location(of: SourceOffset(offset))
    return GraphQLError("Syntax error: \(message)", locations: [location], code: "GRAPHQL_PARSE_FAILED")
  }

  /// The next token; `end` at the end of the text, however often it is asked for.
  mutating func next() throws(GraphQLError) -> Token {
    skipIgnored()
    tokenCount += 1
    let start = position
    guard start < bytes.count else { return token(.end, start) }
    let first = bytes[start]
    if ByteClass.startsName(first) {
      position += 1
      while position < bytes.count, ByteClass.continuesName(bytes[position]) { position += 1 }
      return token(.name, start)
    }
    let kind: Token.Kind
    switch first {
    case UInt8(ascii: "{"): kind = .leftBrace
    case UInt8(ascii: "}"): kind = .rightBrace
    case UInt8(ascii: "("): kind = .leftParenthesis
    case UInt8(ascii: ")"): kind = .rightParenthesis
    case UInt8(ascii: ":"): kind = .colon
    case UInt8(ascii: "$"): kind = .dollar
    case UInt8(ascii: "!"): kind = .bang
    case UInt8(ascii: "["): kind = .leftBracket
    case UInt8(ascii: "]"): kind = .rightBracket
    case UInt8(ascii: "="): kind = .equals
    case UInt8(ascii: "@"): kind = .at
    case UInt8(ascii: "|"): kind = .pipe
    case UInt8(ascii: "&"): kind = .ampersand
    case UInt8(ascii: "."):
      guard byte(1) == first, byte(2) == first else { throw unexpectedCharacter(at: start) }
      position += 3
      return token(.spread, start)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpectedCharacter(at: start)
    }
    position += 1
    return token(kind, start)
  }

  func token(_ kind: Token.Kind, _ start: Int, hasEscapes: Bool = false) -> Token {
    Token(kind: kind, start: Int32(clamping: start), end: Int32(clamping: position), hasEscapes: hasEscapes)
  }

  private mutating func skipIgnored() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x2C, 0x09, 0x0D: position += 1
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: position += 3
      default: return
      }
    }
  }

  private func unexpectedCharacter(at offset: Int) -> GraphQLError {
    let shown = Lexer.shown(bytes, at: offset)
    let hint = bytes[offset] == UInt8(ascii: "'") ? "; did you mean a double quote (\")?" : "."
    return failure("unexpected character \(shown)\(hint)", at: offset)
  }

  /// The character at an offset as messages show it: in quotes, or as `U+0007`.
  static func shown(_ bytes: [UInt8], at offset: Int) -> String {
    guard offset < bytes.count else { return Token.Kind.end.described }
    let rest = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
    guard let scalar = rest.unicodeScalars.first else { return Token.Kind.end.described }
    if scalar.value == 0x22 { return "'\"'" }
    if scalar.value >= 0x20 && scalar.value < 0x7F { return "\"\(scalar)\"" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// Classes of bytes.
enum ByteClass {
  @inline(__always)
  static func startsName(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
  }

  @inline(__always)
  static func continuesName(_ byte: UInt8) -> Bool { startsName(byte) || isDigit(byte) }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    default: nil
    }
  }
}
