extension JSONReader {
  mutating func number() throws -> String {
    var digits: [UInt8] = []
    while let byte = try peek() {
      switch byte {
      case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        digits.append(byte)
        skip()
        continue
      default: break
      }
      break
    }
    let text = String(decoding: digits, as: UTF8.self)
    guard Self.isNumber(digits), Double(text) != nil else { throw failure("'\(text)' is no number.") }
    return text
  }

  /// Whether bytes are a number after RFC 8259, section 6: `-0`, `1.5`, `1e-7`, and neither `01`, `1.` nor `1.e5`.
  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }
    func takeDigits() -> Bool {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest.removeFirst(digits.count)
      return !digits.isEmpty
    }
    _ = take("-")
    guard take("0") || takeDigits() else { return false }
    if take("."), !takeDigits() { return false }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }

  mutating func string() throws -> String {
    try expect(UInt8(ascii: "\""))
    var bytes: [UInt8] = []
    while let byte = try peek() {
      if byte < 0x20 { throw failure("a control character in a text must be escaped.") }
      skip()
      if byte == UInt8(ascii: "\"") {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("the text is no valid UTF-8.") }
        return text
      }
      if byte == UInt8(ascii: "\\") { try escape(&bytes) } else { bytes.append(byte) }
    }
    throw failure("a text does not end.")
  }

  private mutating func escape(_ bytes: inout [UInt8]) throws {
    guard let byte = try peek() else { throw failure("a text does not end.") }
    skip()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if code >= 0xD800, code < 0xDC00 {
        guard try peek() == UInt8(ascii: "\\") else { throw failure("half of a surrogate pair.") }
        skip()
        guard try peek() == UInt8(ascii: "u") else { throw failure("half of a surrogate pair.") }
        skip()
        let low = try hexadecimal()
        guard low >= 0xDC00, low < 0xE000 else { throw failure("half of a surrogate pair.") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair.") }
      bytes.append(contentsOf: Array(String(Character(scalar)).utf8))
    default: throw failure("'\\\(String(decoding: [byte], as: UTF8.self))' is no escape.")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = try peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("an escape \\u has four hexadecimal digits.")
      }
      code = code << 4 | UInt32(digit)
      skip()
    }
    return code
  }
}
