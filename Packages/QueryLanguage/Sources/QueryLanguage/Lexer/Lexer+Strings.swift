import FoundationEssentials

/// Quoted strings and base64.
extension Lexer {
  /// A string in double or single quotes, escapes decoded.
  mutating func quoted() throws(QueryError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    var decoded: [UInt8] = []
    while true {
      guard position < bytes.count else {
        throw failure(
          "the string has no closing quote", from: start, hint: "close it with \(Character(UnicodeScalar(quote)))")
      }
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: decoded, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &decoded)
      } else {
        decoded.append(byte)
        // In a format string a doubled percent sign stands for one, in quotes too.
        if dialect == .nspredicate, byte == UInt8(ascii: "%"), self.byte() == byte { position += 1 }
      }
    }
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(QueryError) {
    let start = position - 1
    let character = byte()
    position += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"): decoded.append(character)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "0"): decoded.append(0)
    case UInt8(ascii: "u"):
      var code = try hexCode(from: start)
      if code & 0xFC00 == 0xD800, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
        position += 2
        let low = try hexCode(from: start)
        guard low & 0xFC00 == 0xDC00 else { throw failure("the escape is half of a surrogate pair", from: start) }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = UnicodeScalar(code) else {
        throw failure("the escape is half of a surrogate pair", from: start)
      }
      decoded += Array(String(scalar).utf8)
    default:
      position = min(position, bytes.count)
      throw failure(
        "unknown escape in a string", from: start, hint: "known are \\\" \\' \\/ \\\\ \\b \\f \\n \\r \\t \\0 \\uhhhh")
    }
  }

  private mutating func hexCode(from start: Int) throws(QueryError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard Self.isHexDigit(byte()), let digit = Character(UnicodeScalar(byte())).hexDigitValue else {
        throw failure("\\u takes exactly four hexadecimal digits", from: start)
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  /// `B64"…"` as text.
  mutating func base64String() throws(QueryError) -> String {
    let start = position
    let decoded = try base64Bytes()
    guard let string = String(validating: decoded, as: UTF8.self) else {
      throw failure("the base64 text is not valid UTF-8", from: start, hint: "bytes are written binary(B64\"…\")")
    }
    return string
  }

  /// The bytes of `B64"…"`.
  mutating func base64Bytes() throws(QueryError) -> [UInt8] {
    let start = position
    position += 4
    let content = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    guard position < bytes.count else { throw failure("the base64 text has no closing quote", from: start) }
    let digits = bytes[content..<position]
    position += 1
    guard let decoded = Self.decodeBase64(digits) else { throw failure("malformed base64", from: start) }
    return decoded
  }

  private static func decodeBase64(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 4 == 0 else { return nil }
    return Data(base64Encoded: Data(digits)).map { [UInt8]($0) }
  }
}
