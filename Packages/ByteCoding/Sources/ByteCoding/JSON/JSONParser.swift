/// A fault in a JSON text, with its position.
public struct JSONError: Error, Hashable, Sendable {
  /// The position of the byte at which reading stopped.
  public var position: Int
}

extension JSONValue {
  /// Reads a JSON text (RFC 8259): exactly one value, white space around it allowed, at most 64 levels deep.
  ///
  /// - Throws: ``JSONError`` when the text is no such JSON.
  /// - Complexity: O(*n*) in the size of the text.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Reads the UTF-8 bytes of a JSON text, as ``init(parsing:)-(String)``.
  ///
  /// - Throws: ``JSONError`` when the bytes are no such JSON.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }
}

/// A recursive-descent reader of RFC 8259 with bounded depth. No bytes make it trap.
struct JSONParser {
  let bytes: [UInt8]
  private var index = 0
  private static let maximumDepth = 64

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func fail<T>() throws(JSONError) -> T { throw JSONError(position: index) }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { return try fail() }
    return value
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ byte: UInt8) throws(JSONError) {
    guard next == byte else { return try fail() }
    index += 1
  }

  private mutating func take(word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for offset in 0..<word.utf8CodeUnitCount {
      try take(word.utf8Start[offset])
    }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maximumDepth else { return try fail() }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try take(word: "true", .bool(true))
    case UInt8(ascii: "f"): return try take(word: "false", .bool(false))
    case UInt8(ascii: "n"): return try take(word: "null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [(key: String, value: JSONValue)] = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      index += 1
      return .object(members)
    }
    while true {
      skipSpace()
      let key = try string()
      skipSpace()
      try take(UInt8(ascii: ":"))
      members.append((key, try value(depth: depth + 1)))
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try take(UInt8(ascii: "}"))
      return .object(members)
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      index += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try take(UInt8(ascii: "]"))
      return .array(elements)
    }
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { return try fail() }
  }

  private mutating func number() throws(JSONError) -> String {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func string() throws(JSONError) -> String {
    try take(UInt8(ascii: "\""))
    let start = index
    // Texts without escapes are taken as they are.
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { index += 1 }
    if next == UInt8(ascii: "\"") {
      guard let string = String(validating: bytes[start..<index], as: UTF8.self) else {
        throw JSONError(position: start)
      }
      index += 1
      return string
    }
    var text = Array(bytes[start..<index])
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw JSONError(position: start) }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: return try fail()
      default: text.append(byte)
      }
    }
    return try fail()
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { return try fail() }
    index += 1
    switch byte {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"):
      var value = UInt32(try hexadecimal())
      if (0xD800..<0xDC00).contains(value) {
        try take(UInt8(ascii: "\\"))
        try take(UInt8(ascii: "u"))
        let low = UInt32(try hexadecimal())
        guard (0xDC00..<0xE000).contains(low) else { return try fail() }
        value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { return try fail() }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: return try fail()
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return try fail() }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
