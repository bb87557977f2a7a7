/// Decodes the chunked body of a request (RFC 9112, section 7.1), strictly: every line ends in CRLF, sizes are hexadecimal
/// digits, extensions are short text and trailers are skipped.
///
/// - Complexity: O(*n*) for *n* bytes, however they are split.
public struct HTTPChunkDecoder: Sendable {
  /// A rule that the chunks break.
  public struct Fault: Error, Hashable, Sendable {
    /// The rule.
    public var reason: String
  }

  /// The most bytes of extensions and trailers in one body.
  public static let maximumExtraBytes = 4 << 10

  private enum State: Sendable {
    case size(digits: Int), extensions, sizeEnd
    case data, dataReturn, dataEnd
    case trailerStart, trailer, trailerEnd, lastEnd
    case done
  }

  private var state = State.size(digits: 0)
  private var remaining = 0
  private var extra = 0

  /// A decoder at the first chunk.
  public init() {}

  /// Whether the last chunk and its trailers were read.
  public var isDone: Bool { if case .done = state { true } else { false } }

  /// Reads on, up to the end of the body.
  ///
  /// - Parameter data: receives the content, in order.
  /// - Returns: the number of bytes that belong to the body.
  /// - Throws: ``Fault`` with the rule that the bytes break.
  public mutating func read(
    _ bytes: UnsafeRawBufferPointer, data: (UnsafeRawBufferPointer) -> Void
  ) throws(Fault) -> Int {
    var index = 0
    while index < bytes.count, !isDone {
      if case .data = state {
        let count = min(remaining, bytes.count - index)
        data(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]))
        remaining -= count
        index += count
        if remaining == 0 { state = .dataReturn }
      } else {
        try read(bytes[index])
        index += 1
      }
    }
    return index
  }

  private mutating func read(_ byte: UInt8) throws(Fault) {
    switch state {
    case .size(let digits): try readSize(byte, digits)
    case .extensions:
      if byte == 13 { state = .sizeEnd } else { try readExtra(byte) }
    case .sizeEnd:
      try expect(byte, 10)
      state = remaining == 0 ? .trailerStart : .data
    case .dataReturn:
      try expect(byte, 13)
      state = .dataEnd
    case .dataEnd:
      try expect(byte, 10)
      state = .size(digits: 0)
    case .trailerStart:
      if byte == 13 { state = .lastEnd } else { try readTrailer(byte) }
    case .trailer:
      if byte == 13 { state = .trailerEnd } else { try readExtra(byte) }
    case .trailerEnd:
      try expect(byte, 10)
      state = .trailerStart
    case .lastEnd:
      try expect(byte, 10)
      state = .done
    case .data, .done: break
    }
  }

  private mutating func readSize(_ byte: UInt8, _ digits: Int) throws(Fault) {
    if let digit = Self.hexadecimal(byte) {
      guard digits < 8 else { throw Fault(reason: "the size of a chunk has more than 8 digits") }
      remaining = remaining << 4 | digit
      state = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw Fault(reason: "the size of a chunk has no digits") }
    switch byte {
    case 13: state = .sizeEnd
    case 0x3B: state = .extensions
    default: throw Fault(reason: "the size of a chunk is no number")
    }
  }

  private mutating func readTrailer(_ byte: UInt8) throws(Fault) {
    guard byte != 0x20, byte != 0x09 else { throw Fault(reason: "a trailer that begins with a blank") }
    try readExtra(byte)
    state = .trailer
  }

  private mutating func readExtra(_ byte: UInt8) throws(Fault) {
    guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
      throw Fault(reason: "a control character in a chunk line")
    }
    extra += 1
    guard extra <= Self.maximumExtraBytes else { throw Fault(reason: "the lines of the chunks are too long") }
  }

  private func expect(_ byte: UInt8, _ expected: UInt8) throws(Fault) {
    guard byte == expected else { throw Fault(reason: "a chunk or its line does not end in CRLF") }
  }

  private static func hexadecimal(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
  }
}
