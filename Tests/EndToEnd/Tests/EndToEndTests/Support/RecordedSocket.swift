import Synchronization
import Transport
import TransportReal

/// A WebSocket that keeps the heads of messages.
final class RecordedSocket: WebSocketHandler {
  private struct State {
    var connection: (any WebSocketConnection)?
    var token: String?
    var heads: [String] = []
    var closure: WebSocketClosure?
  }
  private let state = Mutex(State())

  var token: String? { state.withLock { $0.token } }
  var closure: WebSocketClosure? { state.withLock { $0.closure } }

  /// The head of an error that came.
  var failure: String? { state.withLock { $0.heads.first { $0.contains("error") } } }

  func connect(
    _ network: RealNetwork, _ url: NetworkURL, _ offers: [String], _ agent: String, _ options: WebSocketOptions
  ) {
    let endpoint = WebSocketEndpoint(url: url, protocolTokens: offers, headers: ["User-Agent": agent])
    let connection = network.connectWebSocket(to: endpoint, options: options, handler: self)
    state.withLock { $0.connection = connection }
  }

  func send(_ bytes: [UInt8]) { state.withLock { $0.connection }?.send(binary: bytes) }
  func abort() { state.withLock { $0.connection }?.abort() }

  /// Takes the next message of a kind, and those before it.
  func next(_ word: String) -> String? {
    state.withLock { state in
      guard let index = state.heads.firstIndex(where: { $0.hasPrefix(word + " ") }) else { return nil }
      defer { state.heads.removeSubrange(...index) }
      return state.heads[index]
    }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    state.withLock { $0.token = protocolToken ?? "" }
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return }
    state.withLock { $0.heads.append(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)) }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    state.withLock { $0.closure = closure }
  }
}
