/// Numbers: `-12`, `0`, `1.5e10`. Leading zeros and a name or a point directly after a number are errors.
extension Lexer {
  mutating func number() throws(GraphQLError) -> Token {
    let start = position
    var isFloat = false
    if byte() == UInt8(ascii: "-") { position += 1 }
    if byte() == UInt8(ascii: "0") {
      position += 1
      if ByteClass.isDigit(byte()) {
        throw failure("a number does not begin with 0 and another digit.", at: position)
      }
    } else {
      try digits()
    }
    if byte() == UInt8(ascii: ".") {
      isFloat = true
      position += 1
      try digits()
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      isFloat = true
      position += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    if byte() == UInt8(ascii: ".") || ByteClass.startsName(byte()) {
      throw failure("expected the number to end before \(Lexer.shown(bytes, at: position)).", at: position)
    }
    return token(isFloat ? .float : .int, start)
  }

  private mutating func digits() throws(GraphQLError) {
    guard ByteClass.isDigit(byte()) else {
      throw failure("expected a digit, found \(Lexer.shown(bytes, at: position)).", at: position)
    }
    while ByteClass.isDigit(byte()) { position += 1 }
  }
}
