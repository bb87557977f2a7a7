import Testing
import Transport
import TransportReal

@Suite("WebSocket over loopback", .serialized)
struct WebSocketLoopbackTests {
  private static let upgrade =
    "GET /sync HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: a#2, a#1\r\n\r\n"

  /// A socket whose upgrade request was sent and whose answer was read.
  private static func upgradedSocket(to loopback: Loopback) -> RawSocket {
    let socket = RawSocket(port: loopback.port)
    socket.send(upgrade)
    _ = socket.read()
    return socket
  }

  /// The error that ended a connection, or nil if it was closed in order.
  private static func failure(_ closure: WebSocketClosure?) -> TransportError? {
    guard case .failed(let error) = closure else { return nil }
    return error
  }

  private static func failure(_ event: SocketEvent?) -> TransportError? {
    guard case .closed(let closure) = event else { return nil }
    return failure(closure)
  }

  @Test(
    "messages of all sizes come back, and both ends agree on the token and the closing",
    arguments: [0, 1, 125, 126, 65_535, 65_536, 3_000_000])
  func echo(size: Int) async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    let socket = loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws, "/sync"), protocolTokens: ["a#2", "a#1"]),
      options: WebSocketOptions(), handler: recorder)
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // Sent before the opening: it waits.
    socket.send(binary: payload)
    #expect(await recorder.events.next() == .opened("a#2"))
    var event = await recorder.events.next()
    if event == .drained { event = await recorder.events.next() }
    #expect(event == .received(.binary(payload)))
    socket.close(code: 4001, reason: "bye")
    #expect(await recorder.events.next() == .closed(.closed(code: 4001, reason: "bye", byPeer: false)))
    #expect(await loopback.server.closures.next() == .closed(code: 4001, reason: "bye", byPeer: true))
    await loopback.stop()
  }

  @Test("a refused upgrade gives the client the response")
  func refusal() async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws, "/refuse")), options: WebSocketOptions(), handler: recorder)
    let event = await recorder.events.next()
    guard case .closed(.refused(let response)) = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(response.status == 401)
    #expect(response.text == "who are you?")
    await loopback.stop()
  }

  @Test("the handshake of RFC 6455 gets its accept value and the chosen token")
  func handshake() async throws {
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send(Self.upgrade)
    let text = String(decoding: socket.read() ?? [], as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    #expect(text.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(text.contains("\r\nSec-WebSocket-Protocol: a#2\r\n"))
    #expect(text.contains("\r\nX-Extra: 1\r\n"))
    await loopback.stop()
  }

  @Test("frames that came with the upgrade request are answered")
  func eagerFrames() async throws {
    let loopback = try await Loopback.start()
    let socket = RawSocket(port: loopback.port)
    socket.send(Array(Self.upgrade.utf8) + [0x82, 0x81, 0, 0, 0, 0, 42])
    var bytes: [UInt8] = []
    while !bytes.suffix(3).elementsEqual([0x82, 1, 42]), let piece = socket.read() { bytes += piece }
    #expect(bytes.suffix(3).elementsEqual([0x82, 1, 42]))
    await loopback.stop()
  }

  @Test(
    "a frame against the rules is answered with its close code",
    arguments: [
      ([0x82, 0xFF, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3, 4], 1008),
      ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4], 1008),
      ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
      ([0x82, 0x01, 0x41], 1002),
      ([0xC2, 0x81, 0, 0, 0, 0, 1], 1002),
      ([0x83, 0x80, 0, 0, 0, 0], 1002),
      ([0x89, 0xFE, 0, 126], 1002),
      ([0x80, 0x80, 0, 0, 0, 0], 1002),
      ([0x81, 0x81, 0, 0, 0, 0, 0x41], 1003),
    ] as [([UInt8], Int)])
  func violations(frame: [UInt8], code: Int) async throws {
    let loopback = try await Loopback.start()
    let socket = Self.upgradedSocket(to: loopback)
    socket.send(frame)
    let answer = socket.read() ?? []
    #expect(answer.first == 0x88)
    try #require(answer.count >= 4, "\(answer)")
    #expect(Int(answer[2]) << 8 | Int(answer[3]) == code, "\(answer)")
    await loopback.stop()
  }

  @Test("half a frame and then the end is a lost connection, not a message")
  func halfAFrame() async throws {
    let loopback = try await Loopback.start()
    do {
      let socket = Self.upgradedSocket(to: loopback)
      socket.send([0x82, 0x85, 1, 2, 3, 4, 5])
    }
    let closure = await loopback.server.closures.next()
    #expect(Self.failure(closure)?.code == .connectionLost, "\(String(describing: closure))")
    await loopback.stop()
  }

  @Test("a ping is answered with its payload")
  func ping() async throws {
    let loopback = try await Loopback.start()
    let socket = Self.upgradedSocket(to: loopback)
    socket.send([0x89, 0x82, 0, 0, 0, 0, 7, 8])
    #expect(socket.read() == [0x8A, 2, 7, 8])
    await loopback.stop()
  }

  @Test("a message that is too large is reported by its head, and the connection goes on")
  func oversized() async throws {
    var options = WebSocketOptions()
    options.maximumMessageBytes = 100_000
    let loopback = try await Loopback.start(webSocket: options)
    let recorder = Recorder()
    let socket = loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
    socket.send(binary: [UInt8](repeating: 7, count: 3_000_000))
    socket.send(binary: [1, 2])
    #expect(await recorder.events.next() == .opened(nil))
    #expect(await recorder.events.next() == .received(.binary(Array("3000000".utf8))))
    #expect(await recorder.events.next() == .received(.binary([1, 2])))
    await loopback.stop()
  }

  @Test("masses of pings end the connection with 1008, and few pongs wait for a peer that does not read")
  func pings() async throws {
    let loopback = try await Loopback.start()
    let socket = Self.upgradedSocket(to: loopback)
    let ping: [UInt8] = [0x89, 0x82, 0, 0, 0, 0, 7, 8]
    socket.send((0..<200_000).flatMap { _ in ping })
    #expect(Self.failure(await loopback.server.closures.next())?.code == .protocolViolation)
    let answer = socket.readAll()
    #expect(answer.count <= 4 * 2_000)
    // The last frame: a close frame with the code and the reason.
    #expect(answer.suffix(28).prefix(4) == [0x88, 26, 0x03, 0xF0])
    await loopback.stop()
  }

  @Test("a peer that does not answer a close frame is cut after the timeout")
  func closeTimeout() async throws {
    var options = WebSocketOptions()
    options.closeTimeout = .milliseconds(50)
    let loopback = try await Loopback.start(webSocket: options)
    let socket = Self.upgradedSocket(to: loopback)
    socket.send([0x81, 0x81, 0, 0, 0, 0, 0x41])
    #expect(await loopback.server.closures.next() == .closed(code: 1003, reason: "no text", byPeer: false))
    await loopback.stop()
  }

  @Test("a peer that does not read is cut when the write budget is used up")
  func writeBudget() async throws {
    var options = WebSocketOptions()
    options.writeBudget = 1 << 20
    let loopback = try await Loopback.start(webSocket: options)
    let socket = Self.upgradedSocket(to: loopback)
    let payload = [UInt8](repeating: 0, count: 1 << 16)
    let frame: [UInt8] = [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + payload
    for _ in 0..<400 { socket.send(frame) }
    let closure = await loopback.server.closures.next()
    #expect(Self.failure(closure)?.code == .writeBudgetExceeded, "\(String(describing: closure))")
    await loopback.stop()
  }

  @Test("shutting the listener down closes WebSockets with 1001")
  func shutDown() async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
    #expect(await recorder.events.next() == .opened(nil))
    await loopback.listener.shutDown(grace: .seconds(5))
    #expect(
      await recorder.events.next() == .closed(.closed(code: 1001, reason: "the server is shutting down", byPeer: true)))
    loopback.loop.shutDown()
  }

  @Test("aborting tells this side and the peer")
  func abort() async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    let socket = loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
    #expect(await recorder.events.next() == .opened(nil))
    socket.abort()
    #expect(Self.failure(await recorder.events.next())?.code == .aborted)
    #expect(Self.failure(await loopback.server.closures.next())?.code == .connectionLost)
    await loopback.stop()
  }

  @Test("a host without an address is a typed error")
  func unresolved() async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: NetworkURL(scheme: .ws, host: "no-such-host.invalid")), options: WebSocketOptions(),
      handler: recorder)
    #expect(Self.failure(await recorder.events.next())?.code == .unresolvedHost)
    await loopback.stop()
  }
}
