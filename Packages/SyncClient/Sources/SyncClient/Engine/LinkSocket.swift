import SyncProtocol
import Transport

/// The ear at one socket. When the machine has given a socket up, nothing of it is heard any more.
// @unchecked Sendable: its variables are touched on the loop only.
final class LinkSocket: WebSocketHandler, @unchecked Sendable {
  weak var link: Link?
  var connection: (any WebSocketConnection)?
  private var isOpen = false
  var waitsForDrain = false
  /// Downloads wait for the disk: nothing is read.
  var isPaused = false

  init(_ link: Link) { self.link = link }

  /// Ends the connection, with a farewell if anybody is there to hear it.
  func close() {
    link = nil
    if isOpen { connection?.close(code: .normal, reason: "") } else { connection?.abort() }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    isOpen = true
    link?.handle(.socketOpened(token: protocolToken))
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    switch message {
    case .binary(let bytes): link?.receive(bytes)
    // Text messages are not part of the protocol, and are ignored as stock clients do.
    case .text: return
    case .oversized(_, let byteCount): tooLarge(byteCount)
    }
  }

  private func tooLarge(_ byteCount: Int) {
    let link = link
    self.link = nil
    connection?.close(code: .messageTooBig, reason: "")
    link?.handle(.socketFailed(.tooLarge, message: "the server sent a message of \(byteCount) bytes or more"))
  }

  func webSocketDidDrain(_ connection: any WebSocketConnection) {
    guard waitsForDrain else { return }
    waitsForDrain = false
    link?.handle(.writable)
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    self.connection = nil
    guard let link else { return }
    switch closure {
    case .closed(let code, let reason, _):
      link.handle(.socketClosed(code: CloseCode(code.rawValue), reason: reason))
    case .refused(let response):
      let text = String(decoding: response.body.prefix(200), as: UTF8.self)
      link.handle(.socketRefused(status: response.status, message: text))
    case .failed(let error): link.handle(.socketFailed(Self.kind(of: error), message: error.description))
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
