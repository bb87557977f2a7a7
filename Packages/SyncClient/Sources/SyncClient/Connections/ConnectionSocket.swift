import SyncProtocol
import Transport

/// Hands the events of one socket to its connection. After ``close()`` the connection hears nothing of this socket.
// @unchecked Sendable: its variables are touched on the loop only.
final class ConnectionSocket: WebSocketHandler, @unchecked Sendable {
  private weak var owner: SharedConnection?
  /// The transport's connection; nil before the upgrade request and after the end.
  var connection: (any WebSocketConnection)?
  private var isOpen = false
  /// Whether messages are compressed. Off for servers on this machine, where bytes cost less than compressing them.
  var compresses = true
  /// Whether the machine waits for ``webSocketDidDrain(_:)`` before it sends more.
  var waitsForDrain = false
  /// Whether reading is paused because downloads wait for the disk.
  var isPaused = false

  init(_ owner: SharedConnection) { self.owner = owner }

  /// Ends the connection: with a close frame once the socket is open, else at once.
  func close() {
    owner = nil
    if isOpen { connection?.close(code: .normal, reason: "") } else { connection?.abort() }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    isOpen = true
    owner?.handle(.socketOpened(token: protocolToken))
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    switch message {
    case .binary(let bytes): owner?.receive(bytes)
    // Text messages are not part of the protocol, and are ignored as stock clients do.
    case .text: return
    case .oversized(_, let byteCount): tooLarge(byteCount)
    }
  }

  private func tooLarge(_ byteCount: Int) {
    let owner = owner
    self.owner = nil
    connection?.close(code: .messageTooBig, reason: "")
    owner?.handle(.socketFailed(.tooLarge, message: "the server sent a message of \(byteCount) bytes or more"))
  }

  func webSocketDidDrain(_ connection: any WebSocketConnection) {
    guard waitsForDrain else { return }
    waitsForDrain = false
    owner?.handle(.writable)
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    self.connection = nil
    guard let owner else { return }
    switch closure {
    case .closed(let code, let reason, _):
      owner.handle(.socketClosed(code: CloseCode(code.rawValue), reason: reason))
    case .refused(let response):
      let text = String(decoding: response.body.prefix(200), as: UTF8.self)
      owner.handle(.socketRefused(status: response.status, message: text))
    case .failed(let error): owner.handle(.socketFailed(Self.kind(of: error), message: error.description))
    }
  }

  private static func kind(of error: TransportError) -> ClientConnection.SocketFailure {
    switch error.code {
    case .unresolvedHost, .connectionRefused, .unreachable, .timedOut, .proxyRefused: .unreachable
    case .tlsFailed, .certificateRefused, .invalidConfiguration: .insecure
    case .protocolViolation: .violation
    case .tooLarge: .tooLarge
    default: .lost
    }
  }
}
