/// The header of one frame of RFC 6455, section 5.2.
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
