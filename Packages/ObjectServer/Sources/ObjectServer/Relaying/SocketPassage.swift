import Transport

/// A client's WebSocket that another node answers: messages, closing and congestion go through in both directions.
// @unchecked Sendable: its variables are accessed on the loop only.
final class SocketPassage: @unchecked Sendable {
  private let responder: any WebSocketUpgradeResponder
  private let maximumMessageBytes: Int
  private let ended: @Sendable () -> Void
  private var client: (any WebSocketConnection)?
  private var node: (any WebSocketConnection)?
  private var hasEnded = false

  /// A passage.
  ///
  /// - Parameter ended: called once, on the loop.
  init(
    _ responder: any WebSocketUpgradeResponder, maximumMessageBytes: Int, ended: @escaping @Sendable () -> Void
  ) {
    self.responder = responder
    self.maximumMessageBytes = maximumMessageBytes
    self.ended = ended
  }

  /// Opens the connection with the node; the client is answered as the node answers.
  func begin(_ opening: StreamOpening, at other: ServerNode, over links: PeerLinks) {
    node = links.connect(to: other, opening, options, handler: NodeEnd(self))
  }

  private var options: WebSocketOptions {
    var options = WebSocketOptions()
    options.maximumMessageBytes = max(maximumMessageBytes, RelayLimits.answerBuffer)
    options.writeBudget = options.maximumMessageBytes + RelayLimits.answerBuffer
    options.writeLowWaterMark = 0
    return options
  }

  private func end(_ closure: WebSocketClosure, of other: (any WebSocketConnection)?) {
    switch closure {
    case .closed(let code, let reason, _): other?.close(code: code.isSendable ? code : .normal, reason: reason)
    case .refused, .failed: other?.abort()
    }
    guard !hasEnded else { return }
    hasEnded = true
    ended()
  }

  private func pass(
    _ message: WebSocketMessage, from source: any WebSocketConnection, to target: (any WebSocketConnection)?
  ) {
    guard let target else { return }
    switch message {
    case .binary(let bytes): target.send(binary: bytes)
    case .text(let bytes): target.send(text: String(decoding: bytes, as: UTF8.self))
    case .oversized: return source.close(code: .policyViolation, reason: "the message is too large")
    }
    if target.bufferedBytes > RelayLimits.socketBuffer { source.pauseReading() }
  }

  // MARK: The ends

  /// The end towards the node. Retains the passage for as long as the connection is open.
  private final class NodeEnd: WebSocketHandler, @unchecked Sendable {
    private let passage: SocketPassage
    private var isOpen = false

    init(_ passage: SocketPassage) { self.passage = passage }

    func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
      isOpen = true
      // Until the client's end is open there is no place for messages.
      connection.pauseReading()
      var options = passage.options
      options.maximumMessageBytes = passage.maximumMessageBytes
      passage.responder.accept(
        protocolToken: protocolToken, headers: [:], options: options, handler: ClientEnd(passage))
    }

    func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
      passage.pass(message, from: connection, to: passage.client)
    }

    func webSocketDidDrain(_ connection: any WebSocketConnection) { passage.client?.resumeReading() }

    func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
      if !isOpen {
        if case .refused(let response) = closure {
          passage.responder.refuse(
            HTTPResponse(
              status: response.status, headers: HopHeaders.answered(response.headers), body: response.body))
        } else {
          passage.responder.refuse(JSONAnswer.refusal(RequestRelay.unreachable))
        }
      }
      passage.end(closure, of: passage.client)
      (passage.client, passage.node) = (nil, nil)
    }
  }

  /// The end towards the client.
  private final class ClientEnd: WebSocketHandler {
    private let passage: SocketPassage

    init(_ passage: SocketPassage) { self.passage = passage }

    func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
      guard let node = passage.node else { return connection.abort() }
      passage.client = connection
      node.resumeReading()
    }

    func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
      passage.pass(message, from: connection, to: passage.node)
    }

    func webSocketDidDrain(_ connection: any WebSocketConnection) { passage.node?.resumeReading() }

    func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
      passage.client = nil
      passage.end(closure, of: passage.node)
    }
  }
}
