/// What a decoder found in the stream.
public enum WebSocketEvent: Hashable, Sendable {
  /// A whole message.
  case message(WebSocketMessage)
  /// A ping; answer it with a pong of the same payload.
  case ping([UInt8])
  /// A pong.
  case pong([UInt8])
  /// A close frame; an empty one reads as 1005. Nothing follows.
  case close(WebSocketCloseCode, reason: String)
}

/// Bytes in, messages out: the receiving half of RFC 6455 as a value.
///
///     var decoder = WebSocketDecoder(role: .client, maximumMessageBytes: 1 << 20)
///     decoder.append([0x82, 0x02, 0x68])
///     try decoder.next()                 // nil: half a message
///     decoder.append([0x69])
///     try decoder.next()                 // .message(.binary("hi"))
///
/// - Guarantee: the events do not depend on how the stream was cut. A message is refused by its announced length, before
///   anything is allocated for it. After a violation or a close frame nothing more comes out.
/// - Complexity: O(n) over the whole stream; every byte is copied once into its message.
public struct WebSocketDecoder: Sendable {
  private enum Stage: Sendable {
    case header
    case payload(WebSocketFrameHeader, received: Int)
    case finished
  }

  private let role: WebSocketRole
  private let limit: Int
  private var stage = Stage.header
  /// Input that has not been looked at, from `cursor` on.
  private var input: [UInt8] = []
  private var cursor = 0
  /// Offset in the stream of `input[0]`.
  private var base: UInt64 = 0
  private var control: [UInt8] = []
  private var message: [UInt8] = []
  private var messageKind: WebSocketFrameHeader.Opcode?

  /// A decoder for one connection.
  ///
  /// - Parameters:
  ///   - role: this end; a server refuses unmasked frames, a client masked ones.
  ///   - maximumMessageBytes: the largest message; at most 2 GiB - 1 counts.
  public init(role: WebSocketRole, maximumMessageBytes: Int) {
    self.role = role
    limit = min(max(0, maximumMessageBytes), Int(Int32.max))
  }

  /// Whether the stream ended well: a close frame was read.
  public var isFinished: Bool { if case .finished = stage { true } else { false } }

  /// Bytes held at the moment.
  public var bufferedBytes: Int { input.count - cursor + control.count + message.count }

  /// Adds what arrived. Ignored after the end.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Adds what arrived. Ignored after the end.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if case .finished = stage { return }
    if cursor == input.count {
      base += UInt64(cursor)
      input.removeAll(keepingCapacity: input.capacity <= 1 << 16)
      cursor = 0
    } else if cursor > 1 << 16 {
      base += UInt64(cursor)
      input.removeSubrange(..<cursor)
      cursor = 0
    }
    input.append(contentsOf: bytes)
  }

  /// The next event, or nil when more bytes are needed.
  ///
  /// - Throws: ``WebSocketViolation``; from then on nil is returned.
  public mutating func next() throws(WebSocketViolation) -> WebSocketEvent? {
    while true {
      switch stage {
      case .finished: return nil
      case .header:
        guard let header = try readHeader() else { return nil }
        begin(header)
      case .payload(let header, let received):
        guard let event = try readPayload(header, received: received) else {
          if case .payload(_, let now) = stage, now < header.length { return nil }
          continue
        }
        return event
      }
    }
  }

  // MARK: Header

  private mutating func readHeader() throws(WebSocketViolation) -> WebSocketFrameHeader? {
    guard input.count - cursor >= 2 else { return nil }
    let start = base + UInt64(cursor)
    let (first, second) = (input[cursor], input[cursor + 1])
    guard first & 0x70 == 0 else { throw violation("reserved bits are set, and no extension was agreed on", at: start) }
    guard let opcode = WebSocketFrameHeader.Opcode(rawValue: first & 0x0F) else {
      throw violation("opcode \(first & 0x0F) is reserved", at: start)
    }
    let isFinal = first & 0x80 != 0
    let isMasked = second & 0x80 != 0
    guard isMasked == (role == .server) else {
      throw violation(
        role == .server ? "a client must mask its frames" : "a server must not mask its frames", at: start)
    }
    let short = Int(second & 0x7F)
    if opcode.isControl {
      guard isFinal else { throw violation("a control frame must not be fragmented", at: start) }
      guard short <= 125 else { throw violation("a control frame carries at most 125 bytes", at: start) }
    } else if opcode == .continuation {
      guard messageKind != nil else { throw violation("a continuation without a beginning", at: start) }
    } else {
      guard messageKind == nil else { throw violation("a new message inside a fragmented one", at: start) }
    }
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    guard input.count - cursor >= 2 + lengthBytes else { return nil }
    var length = UInt64(short)
    if lengthBytes > 0 {
      length = input[(cursor + 2)..<(cursor + 2 + lengthBytes)].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >> 63 == 0 else { throw violation("the top bit of a length must be zero", at: start) }
      guard length > (lengthBytes == 2 ? 125 : 0xFFFF) else {
        throw violation("a length must use its shortest form", at: start)
      }
    }
    if !opcode.isControl {
      // Judged on the announcement: nothing has been allocated for it. The sum cannot overflow, both are below 2^63.
      guard length <= UInt64(limit), UInt64(message.count) + length <= UInt64(limit) else {
        throw violation("a message is larger than the \(limit) bytes accepted", at: start, code: .messageTooBig)
      }
    }
    let headerBytes = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard input.count - cursor >= headerBytes else { return nil }
    var mask: WebSocketMask?
    if isMasked {
      let key = input[(cursor + headerBytes - 4)..<(cursor + headerBytes)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      mask = WebSocketMask(key: key)
    }
    cursor += headerBytes
    return WebSocketFrameHeader(isFinal: isFinal, opcode: opcode, mask: mask, length: Int(length))
  }

  private mutating func begin(_ header: WebSocketFrameHeader) {
    switch header.opcode {
    case .text, .binary: messageKind = header.opcode
    case .close, .ping, .pong: control.removeAll(keepingCapacity: true)
    case .continuation: break
    }
    stage = .payload(header, received: 0)
  }

  // MARK: Payload

  /// Takes what is there of the payload; an event when it is complete and says something.
  private mutating func readPayload(
    _ header: WebSocketFrameHeader, received: Int
  ) throws(WebSocketViolation) -> WebSocketEvent? {
    let count = min(header.length - received, input.count - cursor)
    if header.opcode.isControl {
      take(count, mask: header.mask, position: received, into: &control)
    } else {
      // Room is made as bytes come, at most doubling: an announcement alone costs nothing.
      take(count, mask: header.mask, position: received, into: &message)
    }
    cursor += count
    stage = .payload(header, received: received + count)
    guard received + count == header.length else { return nil }
    stage = .header
    return try finish(header)
  }

  private func take(_ count: Int, mask: WebSocketMask?, position: Int, into target: inout [UInt8]) {
    let start = target.count
    target.append(contentsOf: input[cursor..<(cursor + count)])
    mask?.apply(to: &target, in: start..<target.count, position: position)
  }

  private mutating func finish(_ header: WebSocketFrameHeader) throws(WebSocketViolation) -> WebSocketEvent? {
    switch header.opcode {
    case .continuation, .text, .binary:
      guard header.isFinal, let kind = messageKind else { return nil }
      let whole = message
      if kind == .text, String(validating: whole, as: UTF8.self) == nil {
        throw violation("a text message is not UTF-8", at: base + UInt64(cursor), code: .inconsistentData)
      }
      message = []
      messageKind = nil
      return .message(kind == .text ? .text(whole) : .binary(whole))
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    case .close: return try finishClose()
    }
  }

  private mutating func finishClose() throws(WebSocketViolation) -> WebSocketEvent {
    let start = base + UInt64(cursor)
    if control.isEmpty {
      end()
      return .close(.noCode, reason: "")
    }
    guard control.count >= 2 else { throw violation("a close frame has no code or two bytes of it", at: start) }
    let code = WebSocketCloseCode(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
    guard code.isSendable else { throw violation("the close code \(code) must not be sent", at: start) }
    guard let reason = String(validating: control.dropFirst(2), as: UTF8.self) else {
      throw violation("the reason of a close frame is not UTF-8", at: start, code: .inconsistentData)
    }
    end()
    return .close(code, reason: reason)
  }

  private mutating func end() {
    stage = .finished
    input = []
    cursor = 0
    control = []
    message = []
  }

  private mutating func violation(
    _ reason: String, at offset: UInt64, code: WebSocketCloseCode = .protocolError
  ) -> WebSocketViolation {
    end()
    return WebSocketViolation(code: code, reason: reason, offset: offset)
  }
}
