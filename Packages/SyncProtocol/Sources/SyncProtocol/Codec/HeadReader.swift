/// A forward reader of the words, numbers and byte runs of a message, with positions in every error.
struct HeadReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private let base: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
    base = bytes.startIndex
  }

  var position: Int { index - base }
  var remaining: Int { bytes.endIndex - index }
  var isAtEnd: Bool { index == bytes.endIndex }

  /// The letters and underscores up to the next space or newline.
  mutating func messageType() -> String {
    let start = index
    while index < bytes.endIndex, index - start < 32, bytes[index] == 0x5F || (0x61...0x7A).contains(bytes[index]) {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Takes one byte that must be `byte`.
  mutating func take(
    _ byte: UInt8, _ reason: @autoclosure () -> MessageDecodingError.Reason
  ) throws(MessageDecodingError) {
    guard index < bytes.endIndex, bytes[index] == byte else { throw MessageDecodingError(reason(), at: position) }
    index += 1
  }

  /// Decimal digits, at most 20, without a sign, at most `limit`.
  mutating func number(
    limit: UInt64 = .max, _ reason: @autoclosure () -> MessageDecodingError.Reason
  ) throws(MessageDecodingError) -> UInt64 {
    guard let (value, end) = digits(from: index), value <= limit else {
      throw MessageDecodingError(reason(), at: position)
    }
    index = end
    return value
  }

  /// The value of the digits from an index on, and where they end; nil when there are none or they are too much.
  private func digits(from start: Int) -> (value: UInt64, end: Int)? {
    // Much of a large body consists of digits: they are read without a bounds check for each.
    bytes.withUnsafeBufferPointer { run in
      let start = start - bytes.startIndex
      // 19 digits never overflow.
      let safe = min(start + 19, run.count)
      var (value, index) = (UInt64(0), start)
      while index < safe, case let digit = UInt64(run[index] &- 0x30), digit <= 9 {
        value = value &* 10 &+ digit
        index += 1
      }
      guard index > start else { return nil }
      guard index == safe, index < run.count, case let digit = UInt64(run[index] &- 0x30), digit <= 9 else {
        return (value, index + bytes.startIndex)
      }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(digit)
      index += 1
      guard !overflow, !carry, index == run.count || run[index] &- 0x30 > 9 else { return nil }
      return (sum, index + bytes.startIndex)
    }
  }

  /// A space and a field of the head.
  mutating func field(_ name: String, limit: UInt64 = UInt64(Int64.max)) throws(MessageDecodingError) -> UInt64 {
    try take(0x20, .badField(name))
    return try number(limit: limit, .badField(name))
  }

  mutating func flag(_ name: String) throws(MessageDecodingError) -> Bool { try field(name, limit: 1) == 1 }

  mutating func session(allowsConnection: Bool = false) throws(MessageDecodingError) -> SessionIdent {
    let start = position + 1
    let ident = SessionIdent(try field("session"))
    guard allowsConnection || ident != .connection else { throw MessageDecodingError(.badField("session"), at: start) }
    return ident
  }

  /// A size, which must not exceed `limit`.
  mutating func size(_ name: String, limit: Int) throws(MessageDecodingError) -> Int {
    let start = position + 1
    let value = try field(name)
    guard value <= UInt64(limit) else { throw MessageDecodingError(.limitExceeded(name), at: start) }
    return Int(value)
  }

  /// A decimal fraction between 0 and 1.
  mutating func fraction(_ name: String) throws(MessageDecodingError) -> Double {
    try take(0x20, .badField(name))
    let start = index
    while index < bytes.endIndex, index - start < 32, bytes[index] != 0x20, bytes[index] != 0x0A { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2E, 0x65, 0x2D, 0x2B].contains($0) }
    guard isPlain, let value = Double(text), (0...1).contains(value) else {
      throw MessageDecodingError(.badField(name), at: start - base)
    }
    return value
  }

  mutating func endOfHead() throws(MessageDecodingError) { try take(0x0A, .badHead) }

  mutating func run(_ count: Int) throws(MessageDecodingError) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw MessageDecodingError(.badBodySize, at: position) }
    defer { index += count }
    return bytes[index..<index + count]
  }

  mutating func text(_ count: Int, _ name: String) throws(MessageDecodingError) -> String {
    let start = position
    guard let text = String(validating: try run(count), as: UTF8.self) else {
      throw MessageDecodingError(.badText(name), at: start)
    }
    return text
  }

  func endOfMessage() throws(MessageDecodingError) {
    guard isAtEnd else { throw MessageDecodingError(.badBodySize, at: position) }
  }
}
