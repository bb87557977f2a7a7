// The variable-length integer that storage and changesets agree on.
//
// Little-endian groups of seven bits; bit 7 is set on every byte but the last. In the last byte bit 6 is
// the sign and bits 0 to 5 are data. A negative n is coded as -(n + 1) with the sign bit set.
//
//       0  00            63  3F             64  C0 00          300  AC 02
//      -1  40           -64  7F            -65  C0 40         -129  80 41
//   2^63-1  FF FF FF FF FF FF FF FF FF 00           -2^63  FF FF FF FF FF FF FF FF FF 40

extension ByteReader {
  /// An integer in the variable-length coding; accepts longer than shortest forms.
  ///
  /// - Throws: ``ByteDecodingError/integerOutOfRange(at:)`` when the value, or its number of bytes, cannot
  ///   belong to `T`; ``ByteDecodingError/truncated(at:missing:)`` when the input ends inside it.
  @inlinable public mutating func readVarint<T: FixedWidthInteger>(
    _ type: T.Type = T.self
  ) throws(ByteDecodingError) -> T {
    if let byte = readSmallVarint() { return T(truncatingIfNeeded: byte) }
    return try readLongVarint()
  }

  /// An integer from 0 to 63, which is one byte, as most are. Row `ot.codec-decode-1m`.
  ///
  /// - Returns: nil, without moving, before every other integer.
  @inlinable @inline(__always) public mutating func readSmallVarint() -> UInt8? {
    guard index < bytes.endIndex, bytes[index] < 0x40 else { return nil }
    defer { index += 1 }
    return bytes[index]
  }

  /// The plain form: an integer of any number of bytes.
  @inlinable mutating func readLongVarint<T: FixedWidthInteger>() throws(ByteDecodingError) -> T {
    let start = index
    let byteLimit = (T.bitWidth + (T.isSigned ? 0 : 1) + 6) / 7
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var count = 0
    while true {
      guard index < bytes.endIndex else {
        index = start
        throw .truncated(at: position, missing: 1)
      }
      let byte = bytes[index]
      index += 1
      count += 1
      if byte & 0x80 != 0 {
        guard count < byteLimit else { break }
        value |= UInt64(byte & 0x7F) << shift
        shift += 7
        continue
      }
      let data = UInt64(byte & 0x3F)
      // The last byte must not push bits past the 64th.
      guard shift < 64, (data << shift) >> shift == data else { break }
      value |= data << shift
      if byte & 0x40 == 0 {
        guard let result = T(exactly: value) else { break }
        return result
      }
      guard T.isSigned, value <= UInt64(Int64.max) else { break }
      guard let result = T(exactly: -1 - Int64(value)) else { break }
      return result
    }
    index = start
    throw .integerOutOfRange(at: position)
  }
}

extension ByteWriter {
  /// Appends an integer in the variable-length coding, in its shortest form.
  @inlinable public mutating func writeVarint<T: FixedWidthInteger>(_ value: T) {
    var rest: UInt64
    var sign: UInt8 = 0
    if T.isSigned && value < 0 {
      sign = 0x40
      rest = UInt64(truncatingIfNeeded: -1 - Int64(truncatingIfNeeded: value))
    } else {
      rest = UInt64(truncatingIfNeeded: value)
    }
    while rest >= 64 {
      bytes.append(0x80 | UInt8(truncatingIfNeeded: rest & 0x7F))
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest) | sign)
  }
}
