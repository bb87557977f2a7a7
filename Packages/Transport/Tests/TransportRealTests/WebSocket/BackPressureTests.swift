import Synchronization
import TestKit
import Testing
import Transport
import TransportReal

@Suite("Back-pressure over loopback", .serialized)
struct BackPressureTests {
  @Test(
    "an end that does not read stops its peer; reading again brings everything in order", arguments: [1, 60_000])
  func pauseAndResume(size: Int) async throws {
    let loop = try EventLoop(name: "test")
    let network = RealNetwork(loop: loop)
    let server = GatedServer()
    let listener = try await network.listen(
      on: ListenAddress(port: 0), options: HTTPServerOptions(), handler: server)
    let recorder = Recorder()
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(url: NetworkURL(scheme: .ws, host: "127.0.0.1", port: listener.address.port)),
      options: WebSocketOptions(), handler: recorder)
    #expect(await recorder.events.next() == .opened(nil))
    let count = size == 1 ? 400 : 300
    for number in 0..<count { socket.send(binary: [UInt8](repeating: UInt8(number % 251), count: size)) }
    // Each message closes the gate; the test opens it.
    for number in 0..<count {
      guard let connection = server.connection, let first = await server.messages.next() else {
        Issue.record("message \(number) does not come; \(socket.bufferedBytes) bytes wait")
        break
      }
      #expect(first == UInt8(number % 251))
      #expect(server.isClosed)
      // 18 MB do not fit into the kernel: they wait at the sender, once the loop has taken them.
      if number == 0, size > 1 {
        try await eventually("the sender's backlog") { socket.bufferedBytes >= 1 << 20 }
      }
      server.open()
      connection.resumeReading()
    }
    #expect(server.overruns == 0)
    loop.shutDown()
  }
}

/// Pauses at every message, and counts messages that come although it paused.
private final class GatedServer: HTTPServerHandler, WebSocketHandler {
  private struct State {
    var connection: (any WebSocketConnection)?
    var isClosed = false
    var overruns = 0
  }
  private let state = Mutex(State())
  let messages = Inbox<UInt8>()

  var connection: (any WebSocketConnection)? { state.withLock { $0.connection } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
  var overruns: Int { state.withLock { $0.overruns } }
  func open() { state.withLock { $0.isClosed = false } }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: "no"))
  }
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.accept(protocolToken: nil, headers: [:], options: WebSocketOptions(), handler: self)
  }
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    state.withLock { $0.connection = connection }
  }
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    connection.pauseReading()
    state.withLock { state in
      if state.isClosed { state.overruns += 1 }
      state.isClosed = true
    }
    if case .binary(let bytes) = message { messages.put(bytes.first ?? 0) }
  }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
}
