import Foundation
import Transport
import TransportReal

// A WebSocket server that sends every message back, for conformance tests by other implementations.
//
//   websocket-echo PORT        prints "listening on 127.0.0.1:PORT"; 0 takes a free port
//
// Text comes back as binary: sync speaks binary only. Messages above 8 MiB are refused.

final class Echo: HTTPServerHandler, WebSocketHandler {
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 200, text: "a WebSocket that echoes\n"))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    var options = WebSocketOptions()
    options.maximumMessageBytes = 8 << 20
    responder.accept(protocolToken: request.protocolTokens.first, headers: [:], options: options, handler: self)
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    switch message {
    case .text(let bytes), .binary(let bytes): connection.send(binary: bytes)
    case .oversized: connection.close(code: .messageTooBig, reason: "messages of at most 8 MiB")
    }
  }
}

let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
let network = RealNetwork(loop: try EventLoop(name: "echo"))
let listener = try await network.listen(on: ListenAddress(port: port), handler: Echo())
print("listening on \(listener.address)")
fflush(nil)
while true { try await Task.sleep(for: .seconds(3_600)) }
