import Glibc

// Reading without taking anything out: what was read stays where it is, and is asked for by its positions.
extension ByteReader {
  /// Passes bytes that are the same as part of others; stays before all that differ.
  ///
  /// What is said again and again need not be read each time.
  @inlinable public mutating func skip(_ part: Range<Int>, of others: [UInt8]) -> Bool {
    guard part.lowerBound >= 0, part.upperBound <= others.count, part.count <= remaining else { return false }
    let isEqual = bytes.withUnsafeBytes { found in
      others.withUnsafeBytes { areSame(found, index - bytes.startIndex, $0, part.lowerBound, part.count) }
    }
    if isEqual { index += part.count }
    return isEqual
  }

  /// Passes bytes that are the same as those at earlier positions; stays before all others.
  @inlinable public mutating func skipRepetition(of earlier: Range<Int>) -> Bool {
    guard earlier.lowerBound >= 0, earlier.upperBound <= position, earlier.count <= remaining else { return false }
    let isEqual = bytes.withUnsafeBytes {
      areSame($0, index - bytes.startIndex, $0, earlier.lowerBound, earlier.count)
    }
    if isEqual { index += earlier.count }
    return isEqual
  }

  /// Goes back to where the reader was; stays when that is ahead.
  @inlinable public mutating func goBack(to earlier: Int) { index = min(index, base + max(earlier, 0)) }

  /// Passes a length-prefixed run of bytes; gives the positions of its content.
  public mutating func passBytes(limit: Int = .max) throws(ByteDecodingError) -> Range<Int> {
    let count = try readLength(limit: limit)
    let start = position
    index += count
    return start..<start + count
  }

  /// Passes a length-prefixed UTF-8 string; gives the positions of its bytes.
  public mutating func passString(limit: Int = .max) throws(ByteDecodingError) -> Range<Int> {
    let before = index
    let content = try passBytes(limit: limit)
    guard withBytes(at: content, Self.isASCII) || isUTF8(content) else {
      index = before
      throw .invalidUTF8(at: content.lowerBound)
    }
    return content
  }

  private func isUTF8(_ content: Range<Int>) -> Bool {
    String(validating: bytes[base + content.lowerBound..<base + content.upperBound], as: UTF8.self) != nil
  }

  /// Calls `body` with the bytes at positions that were passed; with none when they lie elsewhere.
  public func withBytes<Result>(
    at positions: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes { buffer in
      let isInside = positions.lowerBound >= 0 && positions.upperBound <= buffer.count
      return try body(UnsafeRawBufferPointer(rebasing: buffer[isInside ? positions : 0..<0]))
    }
  }
}

/// Whether as many bytes are the same from one place in a buffer on and from one in another, both of which hold so many.
@usableFromInline func areSame(
  _ left: UnsafeRawBufferPointer, _ at: Int, _ right: UnsafeRawBufferPointer, _ from: Int, _ count: Int
) -> Bool {
  guard let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
  return memcmp(left + at, right + from, count) == 0
}
