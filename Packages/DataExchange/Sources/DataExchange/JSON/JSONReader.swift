/// Reads JSON as RFC 8259 says it, from a file or a text, value by value.
///
/// Large arrays and objects are walked with ``forEachElement(_:)`` and ``forEachMember(_:)`` without being held.
struct JSONReader {
  private var file: ByteSource?
  private var text: [UInt8] = []
  private var next = 0
  private var textPosition = TextPosition()
  private var depth = 0
  private let name: String?

  init(path: String) throws {
    file = try ByteSource(path: path)
    name = path
  }

  init(text: String) {
    self.text = Array(text.utf8)
    name = nil
  }

  /// The value that a text is.
  static func value(of text: String) throws -> JSONNode {
    var reader = JSONReader(text: text)
    let value = try reader.value()
    try reader.end()
    return value
  }

  var position: TextPosition { file?.position ?? textPosition }

  func failure(_ message: String) -> ExchangeError { ExchangeError(message, at: position, in: name) }

  // MARK: Bytes

  private mutating func peek() throws -> UInt8? {
    if file != nil { return try file?.peek() }
    return next < text.count ? text[next] : nil
  }

  private mutating func skip() {
    if file != nil { return file?.skip() ?? () }
    textPosition.column += 1
    if next < text.count, text[next] == 0x0A { textPosition = TextPosition(line: textPosition.line + 1, column: 1) }
    next += 1
  }

  /// The next byte that is no white space.
  private mutating func token() throws -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      skip()
    }
    return nil
  }

  private mutating func expect(_ byte: UInt8) throws {
    guard try token() == byte else {
      throw failure("expected '\(String(decoding: [byte], as: UTF8.self))', found \(try found()).")
    }
    skip()
  }

  private mutating func found() throws -> String {
    guard let byte = try peek() else { return "the end of the text" }
    return byte >= 0x21 && byte < 0x7F ? "'\(String(decoding: [byte], as: UTF8.self))'" : "byte \(byte)"
  }

  // MARK: Walking

  /// Whether an array comes next.
  mutating func isAtArray() throws -> Bool { try token() == UInt8(ascii: "[") }

  /// Calls `body` at each element of an array; it must take the value.
  mutating func forEachElement(_ body: (inout JSONReader) throws -> Void) throws {
    try expect(UInt8(ascii: "["))
    if try token() == UInt8(ascii: "]") { return skip() }
    while true {
      try body(&self)
      guard try token() == UInt8(ascii: ",") else { return try expect(UInt8(ascii: "]")) }
      skip()
    }
  }

  /// Calls `body` with each name of an object; it must take the value.
  mutating func forEachMember(_ body: (String, inout JSONReader) throws -> Void) throws {
    try expect(UInt8(ascii: "{"))
    if try token() == UInt8(ascii: "}") { return skip() }
    while true {
      guard try token() == UInt8(ascii: "\"") else { throw failure("expected a name in quotes, found \(try found()).") }
      let name = try string()
      try expect(UInt8(ascii: ":"))
      try body(name, &self)
      guard try token() == UInt8(ascii: ",") else { return try expect(UInt8(ascii: "}")) }
      skip()
    }
  }

  /// Checks that nothing follows.
  mutating func end() throws {
    if try token() != nil { throw failure("expected the end, found \(try found()).") }
  }

  // MARK: Values

  /// The next value with everything in it.
  mutating func value() throws -> JSONNode {
    guard let byte = try token() else { throw failure("expected a value, found the end of the text.") }
    let position = self.position
    depth += 1
    defer { depth -= 1 }
    guard depth <= 256 else { throw failure("values lie in each other more than 256 levels deep.") }
    switch byte {
    case UInt8(ascii: "\""): return JSONNode(content: .string(try string()), position: position)
    case UInt8(ascii: "["):
      var elements: [JSONNode] = []
      try forEachElement { elements.append(try $0.value()) }
      return JSONNode(content: .array(elements), position: position)
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSONNode)] = []
      try forEachMember { members.append(($0, try $1.value())) }
      return JSONNode(content: .object(members), position: position)
    case UInt8(ascii: "-"), 0x30...0x39: return JSONNode(content: .number(try number()), position: position)
    default: return JSONNode(content: try word(), position: position)
    }
  }

  private mutating func word() throws -> JSONNode.Content {
    var letters: [UInt8] = []
    while let byte = try peek(), byte >= 0x61, byte <= 0x7A, letters.count < 6 {
      letters.append(byte)
      skip()
    }
    switch String(decoding: letters, as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "": throw failure("expected a value, found \(try found()).")
    case let word: throw failure("expected a value, found '\(word)'.")
    }
  }

  private mutating func number() throws -> String {
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

  /// Whether bytes are a number as RFC 8259, section 6, has it: `-0`, `1.5`, `1e-7`, and neither `01`, `1.` nor `1.e5`.
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

  private mutating func string() throws -> String {
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
