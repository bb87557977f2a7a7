import Testing
import Transport
import TransportReal

/// Speaks one subprotocol of text messages, and answers each in capitals.
private final class TextServer: HTTPServerHandler, WebSocketHandler {
  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: ""))
  }
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    guard let token = request.protocolToken(among: ["graphql-transport-ws", "other"]) else {
      return responder.refuse(HTTPResponse(status: 400, text: "no common subprotocol"))
    }
    responder.accept(protocolToken: token, headers: [:], options: WebSocketOptions(), handler: self)
  }
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    connection.send(text: "welcome to \(protocolToken ?? "nothing")")
  }
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .text(let bytes) = message else { return connection.close(code: .unacceptableData, reason: "") }
    connection.send(text: String(decoding: bytes, as: UTF8.self).uppercased())
  }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
}

@Suite("Text messages over loopback", .serialized)
struct TextMessageTests {
  private static func connect(
    offering tokens: [String], _ use: (any WebSocketConnection, Recorder) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "test")
    let network = RealNetwork(loop: loop)
    let listener = try await network.listen(on: ListenAddress(port: 0), handler: TextServer())
    let url = NetworkURL(scheme: .ws, host: "127.0.0.1", port: listener.address.port, target: "/")
    let recorder = Recorder()
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: tokens), options: WebSocketOptions(), handler: recorder)
    try await use(socket, recorder)
    await listener.shutDown(grace: .zero)
    loop.shutDown()
  }

  @Test(
    "texts of all sizes pass in both directions, also those sent before the opening",
    arguments: [0, 1, 125, 126, 65_536, 1_000_000])
  func texts(size: Int) async throws {
    try await Self.connect(offering: ["graphql-transport-ws"]) { socket, recorder in
      socket.send(text: String(repeating: "é", count: size))
      #expect(await recorder.events.next() == .opened("graphql-transport-ws"))
      var events: [SocketEvent?] = []
      while events.count < 2 {
        let event = await recorder.events.next()
        if event != .drained { events.append(event) }
      }
      #expect(events.first == .received(.text(Array("welcome to graphql-transport-ws".utf8))))
      #expect(events.last == .received(.text(Array(String(repeating: "É", count: size).utf8))))
    }
  }

  @Test("the server's preference decides among the tokens that were offered")
  func preference() async throws {
    try await Self.connect(offering: ["unknown", "other", "graphql-transport-ws"]) { _, recorder in
      #expect(await recorder.events.next() == .opened("graphql-transport-ws"))
    }
  }

  @Test("without a common token the upgrade is refused")
  func noCommonToken() async throws {
    try await Self.connect(offering: ["unknown"]) { _, recorder in
      guard case .closed(.refused(let response)) = await recorder.events.next() else {
        Issue.record("the upgrade was not refused")
        return
      }
      #expect(response.status == 400)
    }
  }
}
