import Glibc
import Synchronization
import TestKit
import Transport
import TransportReal

/// Lets asynchronous tests wait for callbacks: values in order, with a deadline.
final class Inbox<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiter: CheckedContinuation<Value?, Never>?
  }
  private let state = Mutex(State())

  func put(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.values.append(value)
      return nil
    }
    waiter?.resume(returning: value)
  }

  /// The next value; nil when none comes within a generous time, so that a broken test fails instead of hanging.
  func next(within limit: Duration = .seconds(300)) async -> Value? {
    let deadline = Task {
      try? await Task.sleep(for: limit)
      guard !Task.isCancelled else { return }
      state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }?.resume(returning: nil)
    }
    defer { deadline.cancel() }
    return await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> Value? in
        if state.values.isEmpty {
          state.waiter = continuation
          return nil
        }
        return state.values.removeFirst()
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}

enum SocketEvent: Sendable, Equatable {
  case opened(String?)
  case received(WebSocketMessage)
  case drained
  case closed(WebSocketClosure)
}

/// Records what a WebSocket says.
final class Recorder: WebSocketHandler {
  let events = Inbox<SocketEvent>()

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    events.put(.opened(protocolToken))
  }
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    events.put(.received(message))
  }
  func webSocketDidDrain(_ connection: any WebSocketConnection) { events.put(.drained) }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    events.put(.closed(closure))
  }
}

/// Echoes requests, and messages of WebSockets.
final class EchoServer: HTTPServerHandler, WebSocketHandler {
  let closures = Inbox<WebSocketClosure>()
  let options: WebSocketOptions

  init(options: WebSocketOptions = WebSocketOptions()) { self.options = options }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    if request.path == "/forget" { return }
    responder.respond(HTTPResponse(status: 200, text: "\(request.method) \(request.target) \(request.body.count)"))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    if request.http.path == "/refuse" { return responder.refuse(HTTPResponse(status: 401, text: "who are you?")) }
    responder.accept(
      protocolToken: request.protocolTokens.first, headers: ["X-Extra": "1"], options: options, handler: self)
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    switch message {
    case .binary(let bytes): connection.send(binary: bytes)
    case .text: connection.close(code: .unacceptableData, reason: "no text")
    case .oversized(_, let byteCount): connection.send(binary: Array("\(byteCount)".utf8))
    }
  }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { closures.put(closure) }
}

/// A blocking socket for peers that misbehave.
final class RawSocket {
  let descriptor: Int32

  init(port: Int) {
    descriptor = LoopbackSocket.connect(to: UInt16(clamping: port)) ?? -1
    var patience = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  func send(_ text: String) { send(Array(text.utf8)) }

  /// Everything until the peer closes.
  func readAll() -> [UInt8] {
    var all: [UInt8] = []
    while let piece = read() { all += piece }
    return all
  }

  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  func shutDownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }
}

/// A loop, a network and a listening echo server, closed together.
struct Loopback {
  let loop: EventLoop
  let network: RealNetwork
  let server: EchoServer
  let listener: any Listener

  static func start(
    options: HTTPServerOptions = HTTPServerOptions(), webSocket: WebSocketOptions = WebSocketOptions()
  ) async throws -> Loopback {
    let loop = try EventLoop(name: "test")
    let network = RealNetwork(loop: loop)
    let server = EchoServer(options: webSocket)
    let listener = try await network.listen(on: ListenAddress(port: 0), options: options, handler: server)
    return Loopback(loop: loop, network: network, server: server, listener: listener)
  }

  var port: Int { listener.address.port }

  func url(_ scheme: NetworkURL.Scheme, _ target: String = "/", host: String = "127.0.0.1") -> NetworkURL {
    NetworkURL(scheme: scheme, host: host, port: port, target: target)
  }

  func stop() async {
    await listener.shutDown(grace: .zero)
    loop.shutDown()
  }
}
