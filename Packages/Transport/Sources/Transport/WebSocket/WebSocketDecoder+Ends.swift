/// The ends of frames and messages.
extension WebSocketDecoder {
  /// The event of a frame whose payload is complete; nil when the frame completes nothing.
  mutating func finishFrame() throws(WebSocketViolation) -> WebSocketEvent? {
    switch frame.opcode {
    case .continuation, .text, .binary: return try finishMessage()
    case .ping: return discards ? nil : .ping(control)
    case .pong: return discards ? nil : .pong(control)
    case .close: return try finishClose()
    }
  }

  private mutating func finishMessage() throws(WebSocketViolation) -> WebSocketEvent? {
    guard frame.isFinal, let current = message else { return nil }
    message = nil
    guard current.keeping == .all else { return nil }
    let whole = payload.take()
    guard current.opcode == .text else { return .message(.binary(whole)) }
    guard String(validating: whole, as: UTF8.self) != nil else {
      throw violation("a text message is not UTF-8", at: base + UInt64(cursor), code: .inconsistentData)
    }
    return .message(.text(whole))
  }

  private mutating func finishClose() throws(WebSocketViolation) -> WebSocketEvent {
    let (start, content) = (base + UInt64(cursor), control)
    if content.isEmpty {
      end()
      return .close(.noCode, reason: "")
    }
    guard content.count >= 2 else { throw violation("a close frame has no code or two bytes of it", at: start) }
    let code = WebSocketCloseCode(rawValue: UInt16(content[0]) << 8 | UInt16(content[1]))
    guard code.isSendable else { throw violation("the close code \(code) must not be sent", at: start) }
    guard let reason = String(validating: content.dropFirst(2), as: UTF8.self) else {
      throw violation("the reason of a close frame is not UTF-8", at: start, code: .inconsistentData)
    }
    end()
    return .close(code, reason: reason)
  }
}
