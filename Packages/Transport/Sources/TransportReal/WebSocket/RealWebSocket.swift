import Concurrency
import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only; those that other threads read are behind
// the mutex.
/// One end of a WebSocket on a TCP or TLS stream.
final class RealWebSocket: WebSocketConnection, @unchecked Sendable {
  enum Stage {
    case connecting, open
    /// Our close frame is sent; the peer's has not arrived.
    case closing(WebSocketCloseCode, reason: String)
    case closed
  }

  /// A message of this side that waits for the opening.
  enum OutgoingMessage: Sendable {
    case binary([UInt8])
    case text(String)
  }

  struct Visible {
    var remoteAddress = ""
    var bufferedBytes = 0
  }

  let ident: ConnectionIdent
  var onEnd: (() -> Void)?
  let loop: EventLoop
  let options: WebSocketOptions
  let visible = Mutex(Visible())
  var handler: (any WebSocketHandler)?
  var stage = Stage.connecting
  var stream: SocketStream?
  var opening: WebSocketOpening?
  /// The share of a server's connection in the budget.
  var account: ReceiveAccount?
  var decoder: WebSocketDecoder
  var encoder: WebSocketEncoder
  var queued: [OutgoingMessage] = []
  var queuedBytes = 0
  var closesOnOpen: (WebSocketCloseCode, String)?
  var isAboveLowWater = false
  var isPaused = false
  var isTakingEvents = false
  var controlFrames = ControlFrameLimit()
  /// The payload of the last ping, to be answered when the last pong was sent.
  var waitingPong: [UInt8]?
  /// The offset of the end of the last pong among the sent bytes.
  var pongEnd: UInt64 = 0
  var timer: (any Cancellable)?

  private static let lastIdent = Atomic<UInt64>(0)

  static func makeIdent() -> ConnectionIdent {
    ConnectionIdent(rawValue: lastIdent.add(1, ordering: .relaxed).newValue)
  }

  init(loop: EventLoop, role: WebSocketRole, options: WebSocketOptions, handler: any WebSocketHandler) {
    self.loop = loop
    self.options = options
    self.handler = handler
    ident = Self.makeIdent()
    decoder = WebSocketDecoder(role: role, maximumMessageBytes: options.maximumMessageBytes)
    encoder = WebSocketEncoder(role: role)
  }

  var remoteAddress: String { visible.withLock { $0.remoteAddress } }
  var bufferedBytes: Int { visible.withLock { $0.bufferedBytes } }

  // MARK: Opening

  func connect(to endpoint: WebSocketEndpoint, context: ClientContext) {
    guard case .connecting = stage else { return }
    timer = loop.schedule(after: options.connectTimeout) { [weak self] in
      guard let self, case .connecting = self.stage else { return }
      self.end(
        .failed(
          TransportError(
            .timedOut, "\(endpoint.url.authority) did not answer within \(self.options.connectTimeout): try again")))
    }
    let opening = WebSocketOpening(loop: loop, endpoint: endpoint, tls: options.tls, context: context) { outcome in
      self.opening = nil
      switch outcome {
      case .opened(let stream, let leftover, let token): self.adopt(stream, leftover: leftover, protocolToken: token)
      case .refused(let response): self.end(.refused(response))
      case .failed(let error): self.end(.failed(error))
      }
    }
    self.opening = opening
    opening.start()
  }

  /// Takes a stream over after the handshake; `leftover` are the bytes behind it.
  func adopt(
    _ stream: SocketStream, leftover: [UInt8], protocolToken: String?, countingWith budget: ReceiveBudget? = nil
  ) {
    guard case .connecting = stage else { return stream.abort() }
    timer?.cancel()
    self.stream = stream
    if let budget, options.countsReceived { count(with: budget, on: stream) }
    visible.withLock { $0.remoteAddress = stream.remoteAddress }
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.ended($0) }
    stream.onFlushed = { self.flushed() }
    decoder.append(leftover)
    account?.hold(decoder.bufferedBytes, received: leftover.count)
    // From the loop: no handler is called before the call that accepted the upgrade returns.
    loop.execute {
      guard case .connecting = self.stage else { return }
      self.stage = .open
      self.handler?.webSocketDidOpen(self, protocolToken: protocolToken)
      let waiting = self.queued
      self.queued = []
      self.queuedBytes = 0
      for message in waiting { self.transmit(message) }
      if let (code, reason) = self.closesOnOpen { self.beginClosing(code, reason) }
      self.takeEvents()
      if self.isPaused { self.stream?.stopReading() } else { self.stream?.startReading() }
    }
  }

  // MARK: Receiving

  func count(with budget: ReceiveBudget, on stream: SocketStream) {
    let group = options.budgetGroup ?? PeerGroup(remoteAddress: stream.remoteAddress).description
    let account = budget.open(.member, group: group, on: loop) { [weak self] in
      self?.readAgain()
    } cut: { [weak self] in
      self?.end(
        .failed(
          TransportError(.timedOut, "the peer sends a message too slowly, and others wait for the memory it takes")))
    }
    self.account = account
    stream.roomToRead = { account.room(atMost: $0) }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) {
    decoder.append(bytes)
    // Bytes that arrive between the handshake and the opening are kept for the opening.
    if case .connecting = stage { return }
    takeEvents()
    account?.hold(decoder.bufferedBytes, received: bytes.count)
  }

  func takeEvents() {
    // A handler that pauses and resumes within one message must not receive the next within that call.
    guard !isTakingEvents else { return }
    isTakingEvents = true
    defer { isTakingEvents = false }
    do {
      while stream != nil, !isPaused, let event = try decoder.next() { handle(event) }
    } catch {
      violated(error)
    }
  }

  func handle(_ event: WebSocketEvent) {
    switch stage {
    case .connecting, .closed: break
    case .closing(let code, let reason):
      if case .close = event { finish(.closed(code: code, reason: reason, byPeer: false)) }
    case .open:
      switch event {
      case .message(let message): handler?.webSocket(self, didReceive: message)
      case .ping(let payload): if admitsControlFrame() { answerPing(payload) }
      case .pong: _ = admitsControlFrame()
      case .close(let code, let reason):
        stream?.write(encoder.close(code, reason: ""))
        finish(.closed(code: code, reason: reason, byPeer: true))
      }
    }
  }

  func violated(_ violation: WebSocketViolation) {
    if case .closing(let code, let reason) = stage {
      return finish(.closed(code: code, reason: reason, byPeer: false))
    }
    stream?.write(encoder.close(violation.code, reason: violation.reason))
    finish(
      .failed(
        TransportError(
          .protocolViolation, "the peer broke the WebSocket rules: \(violation.reason)",
          cause: "byte \(violation.offset)")))
  }

  func ended(_ reason: StreamEnd) {
    if case .closing(let code, let text) = stage { return end(.closed(code: code, reason: text, byPeer: false)) }
    end(.failed(reason.error))
  }
}
