/// The four bytes with which a client's payload is combined by exclusive or.
struct WebSocketMask: Hashable, Sendable {
  /// The first byte of the key is the highest.
  var key: UInt32

  func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * (index & 3))) }

  /// Combines `bytes[range]` in place; `position` is the offset in the payload of the first byte of the range.
  ///
  /// Eight bytes at a time: row `sync.transfer-upload`.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  func apply(to bytes: inout [UInt8], in range: Range<Int>, position: Int) {
    guard !range.isEmpty else { return }
    bytes.withUnsafeMutableBytes { buffer in
      var index = range.lowerBound
      let rotated =
        UInt32(byte(position)) | UInt32(byte(position + 1)) << 8 | UInt32(byte(position + 2)) << 16
        | UInt32(byte(position + 3)) << 24
      let wide = UInt64(rotated) | UInt64(rotated) << 32
      while index + 8 <= range.upperBound {
        let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        buffer.storeBytes(of: word ^ wide.littleEndian, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      while index < range.upperBound {
        buffer[index] ^= byte(position + index - range.lowerBound)
        index += 1
      }
    }
  }
}
