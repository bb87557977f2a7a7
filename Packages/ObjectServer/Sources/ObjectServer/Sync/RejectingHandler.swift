import Transport

/// The handler of a rejected connection: sends messages and closes.
final class RejectingHandler: WebSocketHandler {
  private let messages: [[UInt8]]
  private let code: WebSocketCloseCode
  private let reason: String

  init(messages: [[UInt8]], code: WebSocketCloseCode, reason: String) {
    self.messages = messages
    self.code = code
    self.reason = reason
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    for message in messages { connection.send(binary: message) }
    connection.close(code: code, reason: reason)
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {}
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
}
