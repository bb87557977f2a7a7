/// Reads JSON after RFC 8259, from a file or a text, value by value. Used for data files, whose numbers keep their text and
/// whose errors have a line and a column.
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

  /// The value of a whole text.
  static func value(of text: String) throws -> JSONNode {
    var reader = JSONReader(text: text)
    let value = try reader.value()
    try reader.end()
    return value
  }

  var position: TextPosition { file?.position ?? textPosition }
  /// The number of bytes read.
  var offset: Int { file?.offset ?? next }

  func failure(_ message: String) -> ExchangeError { ExchangeError(message, at: position, in: name) }

  // MARK: Bytes

  mutating func peek() throws -> UInt8? {
    if file != nil { return try file?.peek() }
    return next < text.count ? text[next] : nil
  }

  mutating func skip() {
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

  mutating func expect(_ byte: UInt8) throws {
    guard try token() == byte else {
      throw failure("expected '\(String(decoding: [byte], as: UTF8.self))', found \(try found()).")
    }
    skip()
  }

  mutating func found() throws -> String {
    guard let byte = try peek() else { return "the end of the text" }
    return byte >= 0x21 && byte < 0x7F ? "'\(String(decoding: [byte], as: UTF8.self))'" : "byte \(byte)"
  }

  // MARK: Walking

  /// Whether an array comes next.
  mutating func isAtArray() throws -> Bool { try token() == UInt8(ascii: "[") }

  /// Moves to the next element of an array, at first into the array; its value must then be taken.
  ///
  /// - Parameter isFirst: true at first, and then false.
  /// - Returns: false behind the end of the array.
  mutating func nextElement(_ isFirst: inout Bool) throws -> Bool {
    try next(in: UInt8(ascii: "["), UInt8(ascii: "]"), &isFirst)
  }

  /// Moves to the next member of an object, at first into the object; its value must then be taken.
  ///
  /// - Parameter isFirst: true at first, and then false.
  /// - Returns: the name; nil behind the end of the object.
  mutating func nextMember(_ isFirst: inout Bool) throws -> String? {
    guard try next(in: UInt8(ascii: "{"), UInt8(ascii: "}"), &isFirst) else { return nil }
    guard try token() == UInt8(ascii: "\"") else { throw failure("expected a name in quotes, found \(try found()).") }
    let name = try string()
    try expect(UInt8(ascii: ":"))
    return name
  }

  private mutating func next(in opening: UInt8, _ closing: UInt8, _ isFirst: inout Bool) throws -> Bool {
    guard isFirst else {
      guard try token() == UInt8(ascii: ",") else {
        try expect(closing)
        return false
      }
      skip()
      return true
    }
    isFirst = false
    try expect(opening)
    guard try token() == closing else { return true }
    skip()
    return false
  }

  /// Calls `body` at each element of an array; it must take the value.
  mutating func forEachElement(_ body: (inout JSONReader) throws -> Void) throws {
    var isFirst = true
    while try nextElement(&isFirst) { try body(&self) }
  }

  /// Calls `body` with each name of an object; it must take the value.
  mutating func forEachMember(_ body: (String, inout JSONReader) throws -> Void) throws {
    var isFirst = true
    while let name = try nextMember(&isFirst) { try body(name, &self) }
  }

  /// Checks that the text ends here.
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
    guard depth <= 256 else { throw failure("values are nested more than 256 levels deep.") }
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
}
