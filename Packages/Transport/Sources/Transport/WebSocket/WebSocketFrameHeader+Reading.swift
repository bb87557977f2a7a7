extension WebSocketFrameHeader {
  /// The outcome of reading the first bytes of a frame.
  enum Beginning {
    /// More bytes are needed.
    case partial
    /// A header of `size` bytes, 2 to 14.
    case complete(WebSocketFrameHeader, size: Int)
    /// The bytes break a rule of RFC 6455 that does not depend on earlier frames.
    case broken(String)
  }

  /// Reads the header at the start of `bytes`.
  ///
  /// - Complexity: O(1), without allocation.
  static func read(_ bytes: UnsafeRawBufferPointer, role: WebSocketRole) -> Beginning {
    guard bytes.count >= 2 else { return .partial }
    let (first, second) = (bytes[0], bytes[1])
    guard first & 0x70 == 0 else { return .broken("reserved bits are set, and no extension was agreed on") }
    guard let opcode = Opcode(rawValue: first & 0x0F) else {
      return .broken("opcode \(first & 0x0F) is reserved")
    }
    let (isFinal, isMasked) = (first & 0x80 != 0, second & 0x80 != 0)
    guard isMasked == (role == .server) else {
      return .broken(role == .server ? "a client must mask its frames" : "a server must not mask its frames")
    }
    let short = second & 0x7F
    if opcode.isControl {
      guard isFinal else { return .broken("a control frame must not be fragmented") }
      guard short <= 125 else { return .broken("a control frame carries at most 125 bytes") }
    }
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    let size = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard bytes.count >= 2 + lengthBytes else { return .partial }
    var length = UInt64(short)
    if lengthBytes > 0 {
      length = bigEndian(bytes, at: 2, count: lengthBytes)
      guard length >> 63 == 0 else { return .broken("the top bit of a length must be zero") }
      guard length > (lengthBytes == 2 ? 125 : 0xFFFF) else {
        return .broken("a length must use its shortest form")
      }
    }
    guard bytes.count >= size else { return .partial }
    let mask = isMasked ? WebSocketMask(key: UInt32(bigEndian(bytes, at: size - 4, count: 4))) : nil
    return .complete(
      WebSocketFrameHeader(isFinal: isFinal, opcode: opcode, mask: mask, length: Int(length)), size: size)
  }

  private static func bigEndian(_ bytes: UnsafeRawBufferPointer, at start: Int, count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<(start + count) { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
