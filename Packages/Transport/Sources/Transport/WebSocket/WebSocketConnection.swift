/// Tells connections of one process apart. Never used again for another.
public struct ConnectionIdent: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1.
  public var rawValue: UInt64
  /// The ident with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (left: ConnectionIdent, right: ConnectionIdent) -> Bool { left.rawValue < right.rawValue }
  public var description: String { "connection \(rawValue)" }
}

/// One WebSocket, seen from one of its ends. All methods from any thread; off the loop they take effect soon.
public protocol WebSocketConnection: AnyObject, Sendable {
  /// Tells connections of this process apart.
  var ident: ConnectionIdent { get }

  /// The address of the peer; in the simulation, its host name. Empty until connected.
  var remoteAddress: String { get }

  /// Bytes handed to ``send(binary:)`` and not yet to the system: the measure for back-pressure.
  var bufferedBytes: Int { get }

  /// Sends one binary message as a single frame. Messages arrive in order. Ignored after closing began.
  ///
  /// When more than ``WebSocketOptions/writeBudget`` is buffered, the connection is cut with
  /// ``TransportError/Code/writeBudgetExceeded``: watch ``bufferedBytes`` and wait for
  /// ``WebSocketHandler/webSocketDidDrain(_:)`` well before.
  func send(binary bytes: [UInt8])

  /// Sends a ping frame with at most 125 bytes (more are cut off). Stock Realm clients do not answer it.
  func ping(_ payload: [UInt8])

  /// Stops reading, so that the peer is held up once the buffers between here and there are full. Until
  /// ``resumeReading()`` the handler gets no messages, and the peer's pings, close frame and end go unnoticed; what was
  /// read already waits, at most one reading's worth. Sending goes on. Calls are not counted. Allowed before the opening.
  func pauseReading()

  /// Reads again after ``pauseReading()``, what waits first. Does nothing when reading.
  func resumeReading()

  /// Starts the closing handshake: sends what is queued, then the close frame, and waits for the peer's, at most
  /// ``WebSocketOptions/closeTimeout``. The end is reported to the handler. Only the first call counts.
  ///
  /// - Parameters:
  ///   - code: 1000, 1001 and so on; see ``WebSocketCloseCode``.
  ///   - reason: at most 123 bytes of UTF-8; more is cut off at a character.
  func close(code: WebSocketCloseCode, reason: String)

  /// Cuts the connection without a farewell. The handler hears ``TransportError/Code/aborted``.
  func abort()
}

/// Hears what happens to a WebSocket. Called on the loop, in order; nothing is said after the closing.
public protocol WebSocketHandler: AnyObject, Sendable {
  /// The connection is open. `protocolToken` is the token the server chose, if any.
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?)

  /// A whole message arrived, or the beginning of one that is too large.
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage)

  /// The buffered bytes fell to ``WebSocketOptions/writeLowWaterMark`` or below, after they had been above.
  func webSocketDidDrain(_ connection: any WebSocketConnection)

  /// The end: the last thing said. Before any opening, it tells why there was none.
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure)
}

extension WebSocketHandler {
  /// Does nothing.
  public func webSocketDidDrain(_ connection: any WebSocketConnection) {}
}

/// A whole message, put together from its fragments, or the beginning of one that is too large to be kept.
public enum WebSocketMessage: Hashable, Sendable {
  /// A binary message.
  case binary([UInt8])
  /// A text message, valid UTF-8: Realm sync refuses all of them.
  case text([UInt8])
  /// A message above ``WebSocketOptions/maximumMessageBytes``, told as soon as its first bytes are there. What follows of it
  /// is passed over, and the connection goes on: the handler decides what the message costs its sender.
  ///
  /// - Parameters:
  ///   - head: its first bytes, at most ``WebSocketDecoder/oversizedHeadBytes``.
  ///   - byteCount: its size as far as it was announced; of a fragmented message, at least.
  case oversized(head: [UInt8], byteCount: Int)

  /// The bytes that are held of it.
  public var bytes: [UInt8] {
    switch self {
    case .binary(let bytes), .text(let bytes), .oversized(let bytes, byteCount: _): bytes
    }
  }
}

/// How a WebSocket ended.
public enum WebSocketClosure: Hashable, Sendable {
  /// By the closing handshake, with the code and reason of whoever began. An empty close frame reads as 1005.
  case closed(code: WebSocketCloseCode, reason: String, byPeer: Bool)
  /// The server answered the upgrade with another status than 101, or the server side refused it.
  case refused(HTTPResponse)
  /// By a failure. When the peer broke the protocol it was told so with the code of the violation (1002, 1007, 1008).
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

/// Where a WebSocket client connects, and what it offers.
public struct WebSocketEndpoint: Hashable, Sendable {
  /// Scheme (`ws` or `wss`), host, port, path and query.
  public var url: NetworkURL
  /// The offered protocol tokens, best first.
  public var protocolTokens: [String]
  /// Further headers of the upgrade request.
  public var headers: HTTPHeaders

  /// An endpoint.
  public init(url: NetworkURL, protocolTokens: [String] = [], headers: HTTPHeaders = [:]) {
    self.url = url
    self.protocolTokens = protocolTokens
    self.headers = headers
  }
}

/// Limits and timeouts of a WebSocket, and whom a client trusts.
public struct WebSocketOptions: Hashable, Sendable {
  /// The largest message kept, in bytes. A larger one is told as ``WebSocketMessage/oversized(head:byteCount:)`` before
  /// anything is allocated for it, and beyond 4 GiB answered 1008. It is never answered 1009 here: stock Realm clients take
  /// that as a reset of every realm on the connection.
  public var maximumMessageBytes = 256 << 20
  /// The most bytes buffered for writing; beyond it the connection is cut.
  public var writeBudget = 256 << 20
  /// ``WebSocketHandler/webSocketDidDrain(_:)`` is said when the buffer falls to this.
  public var writeLowWaterMark = 64 << 10
  /// The time for resolving, connecting, TLS and the upgrade together. Clients only.
  public var connectTimeout: Duration = .seconds(60)
  /// How long the peer may take to answer a close frame.
  public var closeTimeout: Duration = .seconds(5)
  /// Whom to trust for `wss`. Clients only.
  public var tls = TLSClientConfiguration()
  /// With whom the connection shares the server's ``ReceiveBudget``, such as the name of its user; nil for the peer's address.
  public var budgetGroup: String?

  /// The limits above.
  public init() {}
}
