/// Takes the chunks of a request's body apart (RFC 9112, section 7.1), strictly: every line ends in CRLF, sizes are
/// hexadecimal digits, extensions are short text and trailers are passed over.
///
/// - Complexity: O(n), however the bytes are cut.
public struct HTTPChunkDecoder: Sendable {
  /// A rule that the chunks break.
  public struct Fault: Error, Hashable, Sendable {
    /// The rule.
    public var reason: String
  }

  /// The bytes of all extensions and trailers of one body.
  public static let maximumExtraBytes = 4 << 10

  private enum Place: Sendable {
    case size(digits: Int), extensions, sizeEnd
    case data, dataReturn, dataEnd
    case trailerStart, trailer, trailerEnd, lastEnd
    case done
  }

  private var place = Place.size(digits: 0)
  private var remaining = 0
  private var extra = 0

  /// A decoder at the first chunk.
  public init() {}

  /// Whether the last chunk and its trailers were read.
  public var isDone: Bool { if case .done = place { true } else { false } }

  /// Reads on, up to the end of the body.
  ///
  /// - Parameter data: gets the content, in order.
  /// - Returns: how many bytes belong to the body.
  /// - Throws: ``Fault``
  public mutating func read(
    _ bytes: UnsafeRawBufferPointer, data: (UnsafeRawBufferPointer) -> Void
  ) throws(Fault) -> Int {
    var index = 0
    while index < bytes.count, !isDone {
      if case .data = place {
        let count = min(remaining, bytes.count - index)
        data(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]))
        remaining -= count
        index += count
        if remaining == 0 { place = .dataReturn }
      } else {
        try read(bytes[index])
        index += 1
      }
    }
    return index
  }

  private mutating func read(_ byte: UInt8) throws(Fault) {
    switch place {
    case .size(let digits): try readSize(byte, digits)
    case .extensions:
      if byte == 13 { place = .sizeEnd } else { try readExtra(byte) }
    case .sizeEnd:
      try expect(byte, 10)
      place = remaining == 0 ? .trailerStart : .data
    case .dataReturn:
      try expect(byte, 13)
      place = .dataEnd
    case .dataEnd:
      try expect(byte, 10)
      place = .size(digits: 0)
    case .trailerStart:
      if byte == 13 { place = .lastEnd } else { try readTrailer(byte) }
    case .trailer:
      if byte == 13 { place = .trailerEnd } else { try readExtra(byte) }
    case .trailerEnd:
      try expect(byte, 10)
      place = .trailerStart
    case .lastEnd:
      try expect(byte, 10)
      place = .done
    case .data, .done: break
    }
  }

  private mutating func readSize(_ byte: UInt8, _ digits: Int) throws(Fault) {
    if let digit = Self.hexadecimal(byte) {
      guard digits < 8 else { throw Fault(reason: "the size of a chunk has more than 8 digits") }
      remaining = remaining << 4 | digit
      place = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw Fault(reason: "the size of a chunk has no digits") }
    switch byte {
    case 13: place = .sizeEnd
    case 0x3B: place = .extensions
    default: throw Fault(reason: "the size of a chunk is no number")
    }
  }

  private mutating func readTrailer(_ byte: UInt8) throws(Fault) {
    guard byte != 0x20, byte != 0x09 else { throw Fault(reason: "a trailer that begins with a blank") }
    try readExtra(byte)
    place = .trailer
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
