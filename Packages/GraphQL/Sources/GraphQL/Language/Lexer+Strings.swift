/// Strings in one or three quotes. A token is only checked here; ``StringDecoding`` makes its value.
extension Lexer {
  mutating func string() throws(GraphQLError) -> Token {
    if byte(1) == UInt8(ascii: "\""), byte(2) == UInt8(ascii: "\"") { return try blockString() }
    let start = position
    var hasEscapes = false
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return token(.string, start, hasEscapes: hasEscapes)
      case 0x0A, 0x0D: throw failure("the string is not closed on its line.", at: position)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      default: position += 1
      }
    }
    throw failure("the string is not closed.", at: position)
  }

  private mutating func blockString() throws(GraphQLError) -> Token {
    let start = position
    position += 3
    let quote = UInt8(ascii: "\"")
    while position < bytes.count {
      if byte() == quote, byte(1) == quote, byte(2) == quote {
        position += 3
        return token(.blockString, start, hasEscapes: true)
      }
      if byte() == UInt8(ascii: "\\"), byte(1) == quote, byte(2) == quote, byte(3) == quote {
        position += 4
      } else {
        position += 1
      }
    }
    throw failure("the block string is not closed.", at: position)
  }

  private mutating func escape() throws(GraphQLError) {
    let start = position
    switch byte(1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      guard let (_, length) = StringDecoding.unicodeEscape(bytes, at: position) else {
        let end = min(position + 8, bytes.count)
        let shown = String(decoding: bytes[position..<end].prefix { $0 != 0x0A && $0 != 0x22 }, as: UTF8.self)
        throw failure("\(shown) begins no Unicode escape: write \\u00e9 or \\u{1F600}.", at: start)
      }
      position += length
    default:
      let at = position + 1
      throw failure("unknown escape before \(Lexer.shown(bytes, at: at)).", at: start)
    }
  }
}
