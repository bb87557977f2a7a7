import Cryptography
import Synchronization
import Testing
import Transport
import TransportReal

/// Streams what a path asks for, and tells its events.
private final class StreamingServer: HTTPServerHandler, HTTPBodyHandler {
  static let size = 3_000_000
  let events = Inbox<String>()
  let streams = Inbox<EventStream>()
  private let loop: EventLoop
  private let sent = Mutex(0)
  private let options: HTTPStreamOptions
  /// The most bytes that ever waited.
  let peak = Mutex(0)

  init(loop: EventLoop, options: HTTPStreamOptions) {
    self.loop = loop
    self.options = options
  }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    switch request.path {
    case "/parts":
      let writer = responder.stream(
        HTTPResponse(status: 201, headers: ["X-A": "b"], body: [1, 2]), options: options, handler: self)
      writer.write([3])
      writer.write([])
      writer.write([4, 5])
      writer.finish()
    case "/large":
      sent.withLock { $0 = 0 }
      bodyDidDrain(responder.stream(HTTPResponse(status: 200), options: options, handler: self))
    case "/flood":
      let writer = responder.stream(HTTPResponse(status: 200), options: options, handler: self)
      for _ in 0..<4_096 { writer.write([UInt8](repeating: 7, count: 64 << 10)) }
    case "/forget": _ = responder.stream(HTTPResponse(status: 200, body: [1]), options: options, handler: self)
    case "/cut":
      let writer = responder.stream(HTTPResponse(status: 200, body: [1]), options: options, handler: self)
      writer.abort()
    case "/stall":
      let writer = responder.stream(HTTPResponse(status: 200), options: options, handler: self)
      writer.write([UInt8](repeating: 7, count: 32 << 20))
    case "/events":
      let events = events
      streams.put(EventStream.open(on: responder, scheduler: loop) { events.put("ended") })
    default: responder.respond(HTTPResponse(status: 200, text: request.path))
    }
  }

  /// Writes on while little waits.
  func bodyDidDrain(_ writer: any HTTPBodyWriter) {
    while writer.bufferedBytes <= 64 << 10 {
      let start = sent.withLock { sent in
        defer { sent = min(Self.size, sent + 10_000) }
        return sent
      }
      guard start < Self.size else { return writer.finish() }
      writer.write((start..<min(Self.size, start + 10_000)).map { UInt8(truncatingIfNeeded: $0) })
      peak.withLock { $0 = max($0, writer.bufferedBytes) }
    }
  }

  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    events.put(failure.map(\.code.rawValue) ?? "finished")
  }
}

/// Receives a response in parts.
private final class PartsRecorder: HTTPResponseHandler {
  enum Event: Sendable, Equatable {
    case head(Int)
    case part([UInt8])
    case end(TransportError.Code?)
  }
  let events = Inbox<Event>()
  func responseDidBegin(_ head: HTTPResponse) { events.put(.head(head.status)) }
  func response(didReceive part: [UInt8]) { events.put(.part(part)) }
  func response(didEnd failure: TransportError?) { events.put(.end(failure?.code)) }

  /// The text of the body up to one that ends with `end`.
  func text(upTo end: String) async -> String {
    var text = ""
    while !text.hasSuffix(end) {
      switch await events.next() {
      case .part(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .head: continue
      case .end, nil: return text + "(ended)"
      }
    }
    return text
  }
}

@Suite("Streamed responses over loopback", .serialized)
struct StreamingTests {
  private struct Scene {
    let loop: EventLoop
    let network: RealNetwork
    let server: StreamingServer
    let listener: any Listener
    let tls: TLSClientConfiguration
    let scheme: NetworkURL.Scheme

    func request(_ path: String, method: String = "GET") -> HTTPClientRequest {
      HTTPClientRequest(
        method: method, url: NetworkURL(scheme: scheme, host: "127.0.0.1", port: listener.address.port, target: path),
        timeout: .seconds(300), tls: tls)
    }
  }

  private static func run(
    tls isSecure: Bool = false, options: HTTPStreamOptions = HTTPStreamOptions(), _ use: (Scene) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "test")
    let network = RealNetwork(loop: loop)
    let server = StreamingServer(loop: loop, options: options)
    var http = HTTPServerOptions()
    var tls = TLSClientConfiguration()
    if isSecure {
      let own = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
      http.tls = TLSServerConfiguration(certificateChainPEM: own.certificatePEM, privateKeyPEM: own.privateKeyPEM)
      tls = TLSClientConfiguration(trust: .certificates(pem: own.certificatePEM))
    }
    let listener = try await network.listen(on: ListenAddress(port: 0), options: http, handler: server)
    let scene = Scene(
      loop: loop, network: network, server: server, listener: listener, tls: tls, scheme: isSecure ? .https : .http)
    let result: Result<Void, any Error>
    do {
      result = .success(try await use(scene))
    } catch {
      result = .failure(error)
    }
    await listener.shutDown(grace: .zero)
    loop.shutDown()
    try result.get()
  }

  @Test("parts arrive as one body, in order", arguments: [false, true])
  func parts(isSecure: Bool) async throws {
    try await Self.run(tls: isSecure) { scene in
      let response = try await scene.network.response(to: scene.request("/parts"))
      #expect(response.status == 201)
      #expect(response.headers["X-A"] == "b")
      #expect(response.headers["Content-Length"] == nil)
      #expect(response.body == [1, 2, 3, 4, 5])
      #expect(await scene.server.events.next() == "finished")
    }
  }

  @Test("a large body passes with little memory", arguments: [false, true])
  func backPressure(isSecure: Bool) async throws {
    try await Self.run(tls: isSecure) { scene in
      let response = try await scene.network.response(to: scene.request("/large"))
      #expect(response.body == (0..<StreamingServer.size).map { UInt8(truncatingIfNeeded: $0) })
      #expect(await scene.server.events.next() == "finished")
      #expect(scene.server.peak.withLock { $0 } < 256 << 10)
    }
  }

  @Test("the bytes on the wire are chunks, and the connection serves the next request")
  func chunks() async throws {
    try await Self.run { scene in
      let socket = RawSocket(port: scene.listener.address.port)
      socket.send(
        "GET /parts HTTP/1.1\r\nHost: x\r\n\r\nHEAD /parts HTTP/1.1\r\nHost: x\r\n\r\n"
          + "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let text = String(decoding: socket.readAll(), as: UTF8.self)
      let head = "HTTP/1.1 201 Created\r\nX-A: b\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
      #expect(
        text.hasPrefix(head + "2\r\n\u{1}\u{2}\r\n1\r\n\u{3}\r\n2\r\n\u{4}\u{5}\r\n0\r\n\r\n" + head + "HTTP/1.1 200"))
      #expect(text.hasSuffix("/next"))
    }
  }

  @Test("a client of HTTP/1.0 gets the body without chunks, up to the end of the connection")
  func oldClient() async throws {
    try await Self.run { scene in
      let socket = RawSocket(port: scene.listener.address.port)
      socket.send("GET /parts HTTP/1.0\r\n\r\n")
      let text = String(decoding: socket.readAll(), as: UTF8.self)
      #expect(text.hasSuffix("Connection: close\r\n\r\n\u{1}\u{2}\u{3}\u{4}\u{5}"))
    }
  }

  @Test("a body that is cut or forgotten is no whole body for its client", arguments: ["/cut", "/forget"])
  func broken(path: String) async throws {
    try await Self.run { scene in
      await #expect(throws: TransportError.self) { try await scene.network.response(to: scene.request(path)) }
      if path == "/cut" { #expect(await scene.server.events.next() == "aborted") }
    }
  }

  @Test("a peer that does not read is cut when the budget is used up")
  func budget() async throws {
    try await Self.run { scene in
      let socket = RawSocket(port: scene.listener.address.port)
      socket.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await scene.server.events.next() == TransportError.Code.writeBudgetExceeded.rawValue)
    }
  }

  @Test("a peer that takes nothing for the stall timeout is cut")
  func stall() async throws {
    var options = HTTPStreamOptions()
    options.writeBudget = 64 << 20
    options.stallTimeout = .milliseconds(200)
    try await Self.run(options: options) { scene in
      let socket = RawSocket(port: scene.listener.address.port)
      socket.send("GET /stall HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await scene.server.events.next() == TransportError.Code.timedOut.rawValue)
    }
  }

  @Test("events arrive one by one, and the end of the client is noticed at once", arguments: [false, true])
  func events(isSecure: Bool) async throws {
    try await Self.run(tls: isSecure) { scene in
      let recorder = PartsRecorder()
      let call = scene.network.receive(scene.request("/events"), handler: recorder)
      let stream = try #require(await scene.server.streams.next())
      #expect(await recorder.text(upTo: ":\n\n") == ":\n\n")
      #expect(stream.send(ServerSentEvent(event: "a", id: "7", data: "b\nc")))
      #expect(await recorder.text(upTo: "\n\n") == "event: a\nid: 7\ndata: b\ndata: c\n\n")
      call.cancel()
      #expect(await scene.server.events.next() == "ended")
      #expect(!stream.send(ServerSentEvent(data: "x")))
    }
  }

  @Test("a client that does not read events loses some, and is told how many")
  func slowReader() async throws {
    try await Self.run { scene in
      let socket = RawSocket(port: scene.listener.address.port)
      socket.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
      let stream = try #require(await scene.server.streams.next())
      let text = String(repeating: "a", count: 100_000)
      var isDropping = false
      for _ in 0..<100 where !stream.send(ServerSentEvent(data: text)) { isDropping = true }
      #expect(isDropping)
      let marker = Array("\r\nevent: dropped\ndata: ".utf8)
      var tail: [UInt8] = []
      while tail.firstRange(of: marker) == nil, let piece = socket.read() {
        stream.send(ServerSentEvent(data: "after the gap"))
        tail = tail.suffix(marker.count) + piece
      }
      #expect(tail.firstRange(of: marker) != nil)
    }
  }

  @Test("a shut-down ends streams of events without waiting for its grace")
  func shutDown() async throws {
    try await Self.run { scene in
      let recorder = PartsRecorder()
      scene.network.receive(scene.request("/events"), handler: recorder)
      _ = await scene.server.streams.next()
      await scene.listener.shutDown(grace: .seconds(3_600))
      #expect(await recorder.text(upTo: "(ended)") == ":\n\n(ended)")
    }
  }
}
