/// The number of a connection within one process; never reused.
public struct ConnectionIdent: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 1.
  public var rawValue: UInt64
  /// The ident with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Compares the numbers.
  public static func < (left: ConnectionIdent, right: ConnectionIdent) -> Bool { left.rawValue < right.rawValue }
  /// `connection 7`.
  public var description: String { "connection \(rawValue)" }
}

/// One end of a WebSocket. All methods can be called from any thread; outside of the loop they take effect soon.
public protocol WebSocketConnection: AnyObject, Sendable {
  /// Unique within the process.
  var ident: ConnectionIdent { get }

  /// The address of the peer; in the simulation, its host name. Empty until connected.
  var remoteAddress: String { get }

  /// Bytes passed to ``send(binary:)`` or ``send(text:)`` and not yet to the system: the measure for back-pressure.
  var bufferedBytes: Int { get }

  /// Sends one binary message as a single frame. Messages arrive in order. Ignored once closing has begun.
  ///
  /// When more than ``WebSocketOptions/writeBudget`` is buffered, the connection is aborted with
  /// ``TransportError/Code/writeBudgetExceeded``: watch ``bufferedBytes`` and wait for
  /// ``WebSocketHandler/webSocketDidDrain(_:)`` well before.
  func send(binary bytes: [UInt8])

  /// Sends one text message as a single frame, under the rules of ``send(binary:)``; for subprotocols whose messages are JSON.
  func send(text: String)

  /// Sends a ping frame with at most 125 bytes (more are cut off). Stock Realm clients do not answer it.
  func ping(_ payload: [UInt8])

  /// Stops reading, so that the peer has to stop sending once the buffers on the way are full. Until ``resumeReading()``
  /// the handler receives no messages, and the peer's pings, close frame and end go unnoticed; bytes of at most one read
  /// stay buffered. Sending goes on. Calls do not nest. Allowed before the opening.
  func pauseReading()

  /// Reads again after ``pauseReading()``, buffered bytes first. Without effect while reading.
  func resumeReading()

  /// Starts the closing handshake: sends queued messages, then the close frame, and waits for the peer's, at most
  /// ``WebSocketOptions/closeTimeout``. The end is reported to the handler. Only the first call has an effect.
  ///
  /// - Parameters:
  ///   - code: 1000, 1001 and so on; see ``WebSocketCloseCode``.
  ///   - reason: at most 123 bytes of UTF-8; more is cut off at a character.
  func close(code: WebSocketCloseCode, reason: String)

  /// Closes the connection without a closing handshake. The handler receives ``TransportError/Code/aborted``.
  func abort()
}

/// Receives the events of a WebSocket. Called on the loop, in order; the closing is the last event.
public protocol WebSocketHandler: AnyObject, Sendable {
  /// Called when the connection is open. `protocolToken` is the token the server chose, if any.
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?)

  /// Called for a complete message, or for the head of one that is too large.
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage)

  /// Called when the buffered bytes fall to ``WebSocketOptions/writeLowWaterMark`` or below.
  func webSocketDidDrain(_ connection: any WebSocketConnection)

  /// Called when the connection is closed, as the last event; without an opening before, with the reason of the failure.
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure)
}

extension WebSocketHandler {
  /// Does nothing.
  public func webSocketDidDrain(_ connection: any WebSocketConnection) {}
}
