import Concurrency
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only.
/// One connection of a server: reads a request, lets the handler answer it, reads the next; or becomes a WebSocket.
///
///     reading head ─▶ reading body ─▶ answering ─▶ reading head …
///          │               │              └─▶ WebSocket
///          └─ 408 431 400 ─┴─ 408 413 400 ─▶ closed
final class HTTPServerConnection: @unchecked Sendable {
  let server: HTTPServer
  let stream: SocketStream
  var parser: HTTPMessageParser
  /// Bytes behind the request that is being answered, unread from `cursor` on. While there are some, arriving bytes are
  /// appended and the socket is not read, so that they never exceed two reads.
  var rest: [UInt8] = []
  var cursor = 0
  /// The peer as the server counts it.
  let group: PeerGroup
  var account: ReceiveAccount?
  var timer: (any Cancellable)?
  var isAnswering = false
  weak var exchange: HTTPExchange?
  var keepsAlive = true
  var isHead = false
  /// Whether the client of the present request understands chunks.
  var acceptsChunks = true
  /// The body that is being written in parts.
  weak var body: RealBodyWriter?
  var isChunked = false
  var isBodyTimed = false
  var isContinueSent = false
  var isClosing = false
  /// Whether `rest` is about to be read from the loop.
  private var isScheduled = false

  /// The most bytes of unsent answers; beyond them no further request is read.
  private static let maximumUnsentBytes = 64 << 10

  init(server: HTTPServer, stream: SocketStream) {
    self.server = server
    self.stream = stream
    group = PeerGroup(remoteAddress: stream.remoteAddress)
    parser = Self.makeParser(server.options)
  }

  static func makeParser(_ options: HTTPServerOptions) -> HTTPMessageParser {
    HTTPMessageParser(.request, maximumHeadBytes: options.maximumHeadBytes, maximumBodyBytes: options.maximumBodyBytes)
  }

  func start(tls: TLSSession?) {
    startTimer(server.options.headTimeout, answering: false)
    let account = server.budget.open(.guest, group: group.description, on: server.loop) { [weak self] in
      self?.readOn()
    } cut: { [weak self] in
      self?.cut()
    }
    self.account = account
    stream.roomToRead = { account.room(atMost: $0) }
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.close($0.error) }
    stream.onFlushed = { self.flushed() }
    if let tls {
      stream.secure(tls) { result in
        if case .failure = result { return self.close() }
        self.readOn()
      }
    }
    stream.startReading()
  }

  // MARK: Reading

  /// Whether no byte of a request has arrived.
  var isIdle: Bool { !isAnswering && !isClosing && !parser.hasStarted && rest.isEmpty }

  func noteHeld(received: Int = 0) { account?.hold(parser.heldBytes + rest.count - cursor, received: received) }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard !isClosing else { return }
    defer { noteHeld(received: bytes.count) }
    guard !isAnswering, cursor == rest.count else {
      stream.stopReading()
      account?.pause()
      return rest.append(contentsOf: bytes)
    }
    let (count, message) = consume(bytes)
    guard let message else { return }
    rest = Array(bytes[count...])
    cursor = 0
    handle(message)
  }

  /// Reads the next request: from `rest`, on the loop, so that a long row of them does not recurse; then from the socket.
  func readOn() {
    guard !isAnswering, !isClosing, !isScheduled, stream.bufferedBytes <= Self.maximumUnsentBytes else { return }
    guard cursor < rest.count else { return stream.startReading() }
    isScheduled = true
    server.loop.execute {
      self.isScheduled = false
      guard !self.isAnswering, !self.isClosing else { return }
      let (count, message) = self.rest.withUnsafeBytes {
        self.consume(UnsafeRawBufferPointer(rebasing: $0[self.cursor...]))
      }
      self.cursor += count
      if self.cursor >= self.rest.count {
        self.rest = []
        self.cursor = 0
      }
      if let message { self.handle(message) } else { self.readOn() }
    }
  }

  /// Reads at most one request, and answers malformed ones.
  ///
  /// - Returns: the number of bytes read, and the request once it is complete.
  private func consume(_ bytes: UnsafeRawBufferPointer) -> (count: Int, message: HTTPParsedMessage?) {
    do {
      if !parser.hasStarted { startTimer(server.options.headTimeout, answering: true) }
      let (count, message) = try parser.consume(bytes)
      if let message { return (count, message) }
      if parser.hasHead && !isBodyTimed {
        isBodyTimed = true
        startTimer(server.options.bodyTimeout, answering: true)
      }
      if parser.expectsContinue && !isContinueSent {
        isContinueSent = true
        stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      }
    } catch {
      keepsAlive = false
      switch error {
      case .headTooLarge:
        send(
          HTTPResponse(status: 431, text: "the request head is larger than \(server.options.maximumHeadBytes) bytes\n"))
      case .bodyTooLarge:
        send(HTTPResponse(status: 413, text: "the body is larger than \(server.options.maximumBodyBytes) bytes\n"))
      case .malformed(let reason): send(HTTPResponse(status: 400, text: "this is not HTTP/1.1: \(reason)\n"))
      }
    }
    return (bytes.count, nil)
  }

  private func handle(_ message: HTTPParsedMessage) {
    timer?.cancel()
    stream.stopReading()
    keepsAlive = message.keepsAlive
    isHead = message.method == "HEAD"
    acceptsChunks = message.acceptsChunks
    let request = HTTPRequest(
      method: message.method, target: message.target, headers: HTTPHeaders(message.headers), body: message.body,
      remoteAddress: stream.remoteAddress, isSecure: stream.isSecure)
    guard message.isUpgrade, WebSocketHandshake.isUpgrade(request) else {
      let exchange = HTTPExchange(connection: self, loop: server.loop, key: nil)
      begin(exchange)
      return server.handler.respond(to: request, with: exchange)
    }
    keepsAlive = false
    switch WebSocketHandshake.checkRequest(request) {
    case .failure(let refusal): send(refusal.response)
    case .success(let checked):
      let exchange = HTTPExchange(connection: self, loop: server.loop, key: checked.key)
      begin(exchange)
      server.handler.upgrade(checked.upgrade, with: exchange)
    }
  }

  // MARK: Ending

  func startTimer(_ timeout: Duration, answering: Bool) {
    timer?.cancel()
    timer = server.loop.schedule(after: timeout) { [weak self] in
      guard let self, !self.isAnswering, !self.isClosing else { return }
      guard answering || self.parser.hasStarted else { return self.cut() }
      self.keepsAlive = false
      self.send(HTTPResponse(status: 408, text: "the request took too long\n"))
    }
  }

  /// Closes once no request is being read or answered.
  func finishWhenIdle() {
    keepsAlive = false
    if !isAnswering && !parser.hasStarted { cut() }
    body?.shouldFinish()
  }

  func cut() {
    stream.abort()
    close()
  }

  private func close(_ reason: TransportError = StreamEnd.endOfStream.error) {
    timer?.cancel()
    account?.close()
    isClosing = true
    exchange?.peerDidClose()
    isAnswering = false
    body?.end(reason)
    body = nil
    server.remove(self)
  }
}
