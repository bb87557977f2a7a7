/// Looks for a byte string in a longer one, sixteen places at a time.
///
/// A place is looked at more closely when the first and the last byte of the needle stand where they should; two
/// letters a known distance apart are rare enough in text that this decides almost everything.
enum ByteSearch {
  /// The offset of the first occurrence of a needle that is not empty, between two offsets.
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
      // A mask is sixteen bytes of all ones or all zeros.
      let hits = unsafeBitCast(first .& second, to: SIMD2<UInt64>.self)
      if hits[0] | hits[1] != 0 {
        for half in 0..<2 {
          var rest = hits[half]
          while rest != 0 {
            let byte = rest.trailingZeroBitCount >> 3
            let place = at + half * 8 + byte
            if matches(needle, text, place) { return place }
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
    _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeRawPointer, _ place: Int
  ) -> Bool {
    var at = 1
    while at < needle.count {
      if text.load(fromByteOffset: place &+ at, as: UInt8.self) != needle[at] { return false }
      at += 1
    }
    return true
  }
}
