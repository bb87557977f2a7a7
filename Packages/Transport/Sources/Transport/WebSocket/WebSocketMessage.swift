/// A complete message, joined from its fragments, or the head of one that is too large to be kept.
public enum WebSocketMessage: Hashable, Sendable {
  /// A binary message.
  case binary([UInt8])
  /// A text message, valid UTF-8. Realm sync refuses all of them; subprotocols of JSON messages use them.
  case text([UInt8])
  /// A message above ``WebSocketOptions/maximumMessageBytes``, reported as soon as its first bytes have arrived. The other
  /// bytes are skipped, and the connection goes on: the consequence is up to the handler.
  ///
  /// - Parameters:
  ///   - head: its first bytes, at most ``WebSocketDecoder/oversizedHeadBytes``.
  ///   - byteCount: the size announced so far; of a fragmented message, a lower bound.
  case oversized(head: [UInt8], byteCount: Int)

  /// The payload, or the head of an oversized message.
  public var bytes: [UInt8] {
    switch self {
    case .binary(let bytes), .text(let bytes), .oversized(let bytes, byteCount: _): bytes
    }
  }
}

/// The end of a WebSocket.
public enum WebSocketClosure: Hashable, Sendable {
  /// The closing handshake, with the code and reason of the end that began. An empty close frame reads as 1005.
  case closed(code: WebSocketCloseCode, reason: String, byPeer: Bool)
  /// The server answered the upgrade with another status than 101, or the server side refused it.
  case refused(HTTPResponse)
  /// A failure. A peer that broke the protocol got a close frame with the code of the violation (1002, 1007, 1008).
  case failed(TransportError)
}

/// The code of a close frame. Open; 4000 to 4999 are private.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible,
  ExpressibleByIntegerLiteral
{
  /// The code as on the wire, two bytes big-endian.
  public var rawValue: UInt16
  /// The code with this number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The code with this number.
  public init(integerLiteral value: UInt16) { rawValue = value }
  /// The number.
  public var description: String { String(rawValue) }

  /// The work is done.
  public static let normal: WebSocketCloseCode = 1000
  /// The server is shutting down.
  public static let goingAway: WebSocketCloseCode = 1001
  /// The peer broke the framing rules.
  public static let protocolError: WebSocketCloseCode = 1002
  /// A kind of message that is not accepted, such as text.
  public static let unacceptableData: WebSocketCloseCode = 1003
  /// Stands for a close frame without a code; never sent.
  public static let noCode: WebSocketCloseCode = 1005
  /// Text that is not UTF-8.
  public static let inconsistentData: WebSocketCloseCode = 1007
  /// Against the rules of the layer above.
  public static let policyViolation: WebSocketCloseCode = 1008
  /// The message is larger than accepted.
  public static let messageTooBig: WebSocketCloseCode = 1009
  /// The server failed; try again.
  public static let internalError: WebSocketCloseCode = 1011

  /// Whether the code may be put into a close frame.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
