import Foundation
import Synchronization
import Transport
import TransportReal

/// One WebSocket with subscriptions, which counts its results and keeps the time of the last one.
final class GraphQLSubscriber: WebSocketHandler {
  private struct State {
    var results = 0
    var lastTime = 0.0
    var isReady = false
    var closure: String?
  }

  private let state = Mutex(State())
  private let token: String
  private let queries: [String]
  private let connection = Mutex<(any WebSocketConnection)?>(nil)

  init(_ queries: [String], token: String) {
    self.queries = queries
    self.token = token
  }

  /// The results so far, and the time of the last one on the shared clock.
  var seen: (results: Int, lastTime: Double) { state.withLock { ($0.results, $0.lastTime) } }

  func connect(_ network: RealNetwork, port: Int) throws {
    let url = try NetworkURL("ws://127.0.0.1:\(port)/graphql/~/people")
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: ["graphql-transport-ws"]), options: WebSocketOptions(),
      handler: self)
    connection.withLock { $0 = socket }
  }

  func abort() { connection.withLock { $0 }?.abort() }

  /// Waits for a number of results.
  func wait(results: Int, seconds: Double = 60) throws {
    let deadline = monotonicSeconds() + seconds
    while true {
      let (count, closure) = state.withLock { ($0.results, $0.closure) }
      if count >= results { return }
      guard closure == nil, monotonicSeconds() < deadline else {
        throw BenchmarkFailure("\(count) of \(results) results came; \(closure ?? "the connection is open")")
      }
      usleep(200)
    }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    connection.send(text: #"{"type":"connection_init","payload":{"token":"\#(token)"}}"#)
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    let now = monotonicSeconds()
    let text = String(decoding: message.bytes.prefix(64), as: UTF8.self)
    if text.contains(#""type":"connection_ack""#) {
      for (number, query) in queries.enumerated() {
        connection.send(text: #"{"id":"\#(number)","type":"subscribe","payload":{"query":"\#(query)"}}"#)
      }
    } else if text.contains(#""type":"next""#) {
      state.withLock {
        $0.results += 1
        $0.lastTime = now
      }
    } else {
      state.withLock { $0.closure = "the server sent \(text)" }
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    state.withLock { $0.closure = "\(closure)" }
  }
}
