import Concurrency
import Transport

/// One connection of a server: reads a request, has it answered, reads the next; or becomes a WebSocket.
///
///     reading head ─▶ reading body ─▶ answering ─▶ reading head …
///          │               │              └─▶ WebSocket
///          └─ 408 431 400 ─┴─ 408 413 400 ─▶ closed
// @unchecked Sendable: its variables are touched on the loop's thread only.
final class HTTPServerConnection: @unchecked Sendable {
  private let server: HTTPServer
  private let stream: SocketStream
  private var parser: HTTPMessageParser
  /// Bytes that came after the request that is being answered, from `cursor` on. As long as there are some, what arrives
  /// goes behind them, and nothing is read from the socket: at most one reading waits.
  private var rest: [UInt8] = []
  private var cursor = 0
  /// Who counts as one peer with this one.
  let group: PeerGroup
  private var account: ReceiveAccount?
  private var timer: (any Cancellable)?
  private var isAnswering = false
  private weak var exchange: HTTPExchange?
  private var keepsAlive = true
  private var isHead = false
  private var isBodyTimed = false
  private var isContinueSent = false
  private var isClosing = false
  /// The next request is looked for from the loop.
  private var isScheduled = false

  /// The answers that wait for a peer that does not read them, beyond which no further request is looked at.
  private static let maximumUnsentBytes = 64 << 10

  init(server: HTTPServer, stream: SocketStream) {
    self.server = server
    self.stream = stream
    group = PeerGroup(remoteAddress: stream.remoteAddress)
    parser = Self.makeParser(server.options)
  }

  private static func makeParser(_ options: HTTPServerOptions) -> HTTPMessageParser {
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
    stream.onEnd = { _ in self.close() }
    stream.onFlushed = { self.readOn() }
    if let tls {
      stream.secure(tls) { result in
        if case .failure = result { return self.close() }
        self.readOn()
      }
    }
    stream.startReading()
  }

  // MARK: Reading

  /// Whether nothing of a request has come.
  var isResting: Bool { !isAnswering && !isClosing && !parser.hasStarted && rest.isEmpty }

  private func noteHeld(received: Int = 0) { account?.hold(parser.heldBytes + rest.count - cursor, received: received) }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard !isClosing else { return }
    defer { noteHeld(received: bytes.count) }
    guard !isAnswering, cursor == rest.count else {
      stream.stopReading()
      return rest.append(contentsOf: bytes)
    }
    let (count, message) = consume(bytes)
    guard let message else { return }
    rest = Array(bytes[count...])
    cursor = 0
    handle(message)
  }

  /// Looks for requests: first in what waits, from the loop, so that a long row of them is no recursion; then on the socket.
  private func readOn() {
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

  /// Reads at most one request; answers what is none.
  ///
  /// - Returns: how many bytes were used, and the request once it is complete.
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

  // MARK: Answering

  private func begin(_ exchange: HTTPExchange) {
    isAnswering = true
    self.exchange = exchange
    account?.rest()
  }

  func answer(_ response: HTTPResponse) {
    guard isAnswering, !isClosing else { return }
    isAnswering = false
    send(response)
  }

  private func send(_ response: HTTPResponse) {
    timer?.cancel()
    guard !isClosing else { return }
    stream.write(
      HTTPMessageWriter.response(
        response, keepsAlive: keepsAlive, omitsBody: isHead, serverName: server.options.serverName))
    guard keepsAlive else {
      isClosing = true
      account?.close()
      parser = Self.makeParser(server.options)
      rest = []
      cursor = 0
      stream.onClosed = { self.server.remove(self) }
      stream.finish()
      return
    }
    parser = Self.makeParser(server.options)
    noteHeld()
    isBodyTimed = false
    isContinueSent = false
    startTimer(server.options.idleTimeout, answering: false)
    readOn()
  }

  func accept(
    key: String, protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions,
    handler: any WebSocketHandler
  ) {
    let socket = RealWebSocket(loop: server.loop, role: .server, options: options, handler: handler)
    guard isAnswering, !isClosing else { return socket.fail(StreamEnd.endOfStream.error) }
    isAnswering = false
    isClosing = true
    var answer = HTTPResponse(
      status: 101, headers: WebSocketHandshake.responseHeaders(key: key, protocolToken: protocolToken, extra: headers))
    if let name = server.options.serverName { answer.headers["Server"] = answer.headers["Server"] ?? name }
    stream.write(HTTPMessageWriter.response(answer, keepsAlive: true))
    let server = server
    account?.close()
    server.add(socket)
    socket.onEnd = { [weak socket] in if let socket { server.remove(socket) } }
    server.remove(self)
    socket.adopt(stream, leftover: Array(rest[cursor...]), protocolToken: protocolToken, countingWith: server.budget)
    rest = []
    cursor = 0
  }

  // MARK: Ending

  private func startTimer(_ timeout: Duration, answering: Bool) {
    timer?.cancel()
    timer = server.loop.schedule(after: timeout) { [weak self] in
      guard let self, !self.isAnswering, !self.isClosing else { return }
      guard answering || self.parser.hasStarted else { return self.cut() }
      self.keepsAlive = false
      self.send(HTTPResponse(status: 408, text: "the request took too long\n"))
    }
  }

  /// Closes as soon as no request is being read or answered.
  func finishWhenIdle() {
    keepsAlive = false
    if !isAnswering && !parser.hasStarted { cut() }
  }

  func cut() {
    stream.abort()
    close()
  }

  private func close() {
    timer?.cancel()
    account?.close()
    isClosing = true
    exchange?.peerIsGone()
    isAnswering = false
    server.remove(self)
  }
}
