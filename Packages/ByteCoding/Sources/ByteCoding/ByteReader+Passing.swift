import Glibc

// Reading without copies: a passed item stays in the input and is read again by its positions. Changesets repeat objects
// and strings, so decoding them compares where it would otherwise copy: rows `ot.codec` and `ot.codec-decode-1m`.
extension ByteReader {
  /// Passes bytes that equal a part of others.
  ///
  /// - Returns: false, without moving, when the bytes differ or too few are left.
  /// - Complexity: O(*n*) for *n* bytes of the part.
  @inlinable public mutating func skip(_ part: Range<Int>, of others: [UInt8]) -> Bool {
    guard part.lowerBound >= 0, part.upperBound <= others.count, part.count <= remaining else { return false }
    let isEqual = bytes.withUnsafeBytes { found in
      others.withUnsafeBytes { areSame(found, index - bytes.startIndex, $0, part.lowerBound, part.count) }
    }
    if isEqual { index += part.count }
    return isEqual
  }

  /// Passes bytes that equal those at earlier positions.
  ///
  /// - Returns: false, without moving, when the bytes differ, too few are left, or the positions were not passed yet.
  /// - Complexity: O(*n*) for *n* bytes.
  @inlinable public mutating func skipRepetition(of earlier: Range<Int>) -> Bool {
    guard earlier.lowerBound >= 0, earlier.upperBound <= position, earlier.count <= remaining else { return false }
    let isEqual = bytes.withUnsafeBytes {
      areSame($0, index - bytes.startIndex, $0, earlier.lowerBound, earlier.count)
    }
    if isEqual { index += earlier.count }
    return isEqual
  }

  /// Goes back to an earlier position; a later one has no effect.
  @inlinable public mutating func goBack(to earlier: Int) { index = min(index, base + max(earlier, 0)) }

  /// Passes a length-prefixed run of bytes.
  ///
  /// - Returns: the positions of the content.
  /// - Throws: as ``readLength(limit:)``.
  public mutating func passBytes(limit: Int = .max) throws(ByteDecodingError) -> Range<Int> {
    let count = try readLength(limit: limit)
    let start = position
    index += count
    return start..<start + count
  }

  /// Passes a length-prefixed UTF-8 string.
  ///
  /// - Returns: the positions of its bytes.
  /// - Throws: as ``readString(limit:)``; the reader then stays before the length.
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

  /// Calls `body` with the bytes at some positions of the input; with none when they lie outside of it.
  public func withBytes<Result>(
    at positions: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes { buffer in
      let isInside = positions.lowerBound >= 0 && positions.upperBound <= buffer.count
      return try body(UnsafeRawBufferPointer(rebasing: buffer[isInside ? positions : 0..<0]))
    }
  }
}

/// Whether `count` bytes are equal from one offset of a buffer and from one of another; both have to hold that many.
@usableFromInline func areSame(
  _ left: UnsafeRawBufferPointer, _ at: Int, _ right: UnsafeRawBufferPointer, _ from: Int, _ count: Int
) -> Bool {
  guard let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
  return memcmp(left + at, right + from, count) == 0
}
