import Transport

// @unchecked Sendable: its variables are touched on the simulated loop only.
/// The server's end of one connection until its request is answered or upgraded, and its responder.
final class SimulatedExchange: SimulatedEnd, HTTPResponder, WebSocketUpgradeResponder, @unchecked Sendable {
  private let stream: SimulatedStream
  private let listener: SimulatedListener
  private let network: SimulatedNetwork
  private var upgradeKey: String?
  private var isAnswered = false
  private var isAccepted = false
  private var isAbandoned = false
  private var isHead = false
  private weak var body: SimulatedBodyWriter?

  init(stream: SimulatedStream, listener: SimulatedListener, network: SimulatedNetwork) {
    self.stream = stream
    self.listener = listener
    self.network = network
  }

  func receive(_ packet: SimulatedPacket) {
    guard case .request(let request) = packet, let handler = listener.handler else { return }
    isHead = request.method == "HEAD"
    if request.body.count > listener.options.maximumBodyBytes {
      return answer(
        HTTPResponse(status: 413, text: "the body is larger than \(listener.options.maximumBodyBytes) bytes\n"))
    }
    guard WebSocketHandshake.isUpgrade(request) else { return handler.respond(to: request, with: self) }
    switch WebSocketHandshake.checkRequest(request) {
    case .failure(let refusal): answer(refusal.response)
    case .success(let checked):
      upgradeKey = checked.key
      handler.upgrade(checked.upgrade, with: self)
    }
  }

  func lose(_ error: TransportError) {
    isAnswered = true
    body?.end(error)
    body = nil
    listener.remove(self)
  }

  func abandon() {
    body?.abandon()
    isAnswered = true
    isAbandoned = true
  }

  func respond(_ response: HTTPResponse) { network.loop.executeNowOrSoon { self.answer(response) } }

  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    let writer = SimulatedBodyWriter(exchange: self, network: network, options: options, handler: handler)
    network.loop.executeNowOrSoon { self.begin(head, writer) }
    return writer
  }

  private func begin(_ head: HTTPResponse, _ writer: SimulatedBodyWriter) {
    guard !isAbandoned else { return writer.abandon() }
    guard !isAnswered else {
      return writer.end(TransportError(.connectionLost, "the peer closed the connection: try again"))
    }
    isAnswered = true
    isAccepted = true
    body = writer
    stream.send(.head(HTTPResponse(status: head.status, headers: head.headers)), from: .server)
    guard !isHead else {
      finishBody()
      return writer.end(nil)
    }
    writer.write(head.body)
    if !listener.isAccepting { writer.shouldFinish() }
  }

  /// Sends a part.
  ///
  /// - Returns: the bytes under way.
  func writeBody(_ part: [UInt8]) -> Int {
    stream.send(.part(part), from: .server)
    return stream.inFlight(from: .server)
  }

  func finishBody() {
    guard body != nil else { return }
    body = nil
    stream.send(.end, from: .server)
    stream.setEnd(nil, at: .server)
    listener.remove(self)
  }

  func cutBody() {
    guard !isAbandoned else { return }
    body = nil
    stream.send(.reset, from: .server)
    stream.setEnd(nil, at: .server)
    listener.remove(self)
  }

  func wasAcknowledged(inFlight: Int) { body?.wasAcknowledged(inFlight) }

  /// Called when the listener shuts down.
  func shouldFinish() { body?.shouldFinish() }

  func refuse(_ response: HTTPResponse) { network.loop.executeNowOrSoon { self.answer(response) } }

  func accept(
    protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions, handler: any WebSocketHandler
  ) {
    network.loop.executeNowOrSoon {
      guard !self.isAbandoned, !self.isAccepted, let key = self.upgradeKey else { return }
      self.isAccepted = true
      let socket = SimulatedWebSocket(network: self.network, role: .server, options: options, handler: handler)
      guard !self.isAnswered else {
        return socket.lose(TransportError(.connectionLost, "the peer closed the connection: try again"))
      }
      self.isAnswered = true
      self.listener.add(socket)
      self.listener.remove(self)
      let listener = self.listener
      socket.onEnd = { [weak socket] in if let socket { listener.remove(socket) } }
      socket.adopt(self.stream)
      let answer = WebSocketHandshake.responseHeaders(key: key, protocolToken: protocolToken, extra: headers)
      self.stream.send(.response(HTTPResponse(status: 101, headers: answer)), from: .server)
      self.network.loop.execute { socket.didOpen(protocolToken: protocolToken) }
    }
  }

  private func answer(_ response: HTTPResponse) {
    guard !isAnswered else { return }
    isAnswered = true
    isAccepted = true
    stream.send(.response(response), from: .server)
    stream.setEnd(nil, at: .server)
    listener.remove(self)
  }
}
