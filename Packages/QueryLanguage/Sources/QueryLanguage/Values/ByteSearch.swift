/// Searches for a byte string in a longer one, sixteen positions at a time. Row `query.string-contains`.
///
/// A position is a candidate when the first and the last byte of the needle stand in their places; two letters a known
/// distance apart are rare enough in text that few candidates fail.
enum ByteSearch {
  /// The offset of the first occurrence of a needle between two offsets; nil for an empty needle.
  ///
  /// - Complexity: O(*n*) on text, O(*n* · *m*) at worst, for *n* bytes and a needle of *m*.
  static func firstMatch(
    of needle: UnsafeBufferPointer<UInt8>, in text: UnsafeRawPointer, from start: Int, to end: Int
  ) -> Int? {
    let count = needle.count
    guard count > 0, end - start >= count else { return nil }
    let last = end - count
    let lastByte = needle[count - 1]
    let firstBytes = SIMD16<UInt8>(repeating: needle[0])
    let lastBytes = SIMD16<UInt8>(repeating: lastByte)
    var at = start
    while at + 16 + count - 1 <= end {
      let first = text.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self) .== firstBytes
      let second = text.loadUnaligned(fromByteOffset: at &+ count &- 1, as: SIMD16<UInt8>.self) .== lastBytes
      // Both types are 16 bytes of plain data: a mask lane is a byte of all ones or all zeros.
      let hits = unsafeBitCast(first .& second, to: SIMD2<UInt64>.self)
      if hits[0] | hits[1] != 0 {
        for half in 0..<2 {
          var rest = hits[half]
          while rest != 0 {
            let byte = rest.trailingZeroBitCount >> 3
            let position = at + half * 8 + byte
            if matches(needle, text, position) { return position }
            rest &= ~(0xFF << UInt64(byte * 8))
          }
        }
      }
      at += 16
    }
    while at <= last {
      if text.load(fromByteOffset: at, as: UInt8.self) == needle[0], matches(needle, text, at) { return at }
      at += 1
    }
    return nil
  }

  @inline(__always) private static func matches(
    _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeRawPointer, _ start: Int
  ) -> Bool {
    var at = 1
    while at < needle.count {
      if text.load(fromByteOffset: start &+ at, as: UInt8.self) != needle[at] { return false }
      at += 1
    }
    return true
  }
}
