/// A violation of RFC 6455 by the peer, with the code to close with.
public struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code for the close frame: 1002, 1007 or 1008.
  public var code: WebSocketCloseCode
  /// The rule that was broken.
  public var reason: String
  /// The offset in the incoming stream of the header that broke it, from 0.
  public var offset: UInt64

  /// A violation with all its parts.
  public init(code: WebSocketCloseCode, reason: String, offset: UInt64) {
    self.code = code
    self.reason = reason
    self.offset = offset
  }

  /// Offset, rule and code.
  public var description: String { "WebSocket violation at byte \(offset): \(reason) [\(code)]" }
}
