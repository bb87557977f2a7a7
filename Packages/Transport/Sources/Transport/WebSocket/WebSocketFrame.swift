/// One frame of RFC 6455, section 5.2.
///
///      0 1 2 3  4 5 6 7   0  1 2 3 4 5 6 7
///     ┌─┬─────┬─────────┬─┬───────────────┬───────────────────┬──────────┬─────────
///     │F│R S V│ opcode  │M│    length     │ 2 or 8 more bytes │ mask key │ payload …
///     └─┴─────┴─────────┴─┴───────────────┴───────────────────┴──────────┴─────────
struct WebSocketFrameHeader: Hashable, Sendable {
  enum Opcode: UInt8, Hashable, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue >= 0x8 }
  }

  var isFinal: Bool
  var opcode: Opcode
  /// Nil for frames of a server.
  var mask: WebSocketMask?
  /// Bytes of payload.
  var length: Int

  /// The bytes of the header, 2 to 14. Uses the shortest form of the length, as required.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = [opcode.rawValue | (isFinal ? 0x80 : 0)]
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch length {
    case ...125: bytes.append(maskBit | UInt8(length))
    case ...0xFFFF: bytes += [maskBit | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default:
      bytes.append(maskBit | 127)
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
    }
    if let mask { bytes += [mask.byte(0), mask.byte(1), mask.byte(2), mask.byte(3)] }
    return bytes
  }
}

/// The four bytes with which a client's payload is combined by exclusive or.
struct WebSocketMask: Hashable, Sendable {
  /// The first byte of the key is the highest.
  var key: UInt32

  func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * (index & 3))) }

  /// Combines `bytes[range]` in place; `position` is the offset in the payload of the first byte of the range.
  ///
  /// - Complexity: O(n), eight bytes at a time.
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
