import Concurrency
import Synchronization
import Transport

/// One end of a WebSocket on a TCP or TLS stream.
// @unchecked Sendable: its variables are touched on the loop's thread only; what others read is behind the mutex.
final class RealWebSocket: WebSocketConnection, @unchecked Sendable {
  private enum Stage {
    case connecting, open
    /// Our close frame is sent; the peer's has not come.
    case closing(WebSocketCloseCode, reason: String)
    case closed
  }

  private struct Visible {
    var remoteAddress = ""
    var bufferedBytes = 0
  }

  let ident: ConnectionIdent
  var onEnd: (() -> Void)?
  private let loop: EventLoop
  private let options: WebSocketOptions
  private let visible = Mutex(Visible())
  private var handler: (any WebSocketHandler)?
  private var stage = Stage.connecting
  private var stream: SocketStream?
  private var opening: WebSocketOpening?
  /// What a server's connection holds of its budget.
  private var account: ReceiveAccount?
  private var decoder: WebSocketDecoder
  private var encoder: WebSocketEncoder
  private var queued: [[UInt8]] = []
  private var queuedBytes = 0
  private var closesOnOpen: (WebSocketCloseCode, String)?
  private var isAboveLowWater = false
  private var isPaused = false
  private var isTakingEvents = false
  private var controlFrames = ControlFrameLimit()
  /// The payload of the last ping, which is answered when the last answer has gone.
  private var waitingPong: [UInt8]?
  /// Where the last pong ends in what the stream sends.
  private var pongEnd: UInt64 = 0
  private var timer: (any Cancellable)?

  private static let lastIdent = Atomic<UInt64>(0)

  init(loop: EventLoop, role: WebSocketRole, options: WebSocketOptions, handler: any WebSocketHandler) {
    self.loop = loop
    self.options = options
    self.handler = handler
    ident = ConnectionIdent(rawValue: Self.lastIdent.add(1, ordering: .relaxed).newValue)
    decoder = WebSocketDecoder(role: role, maximumMessageBytes: options.maximumMessageBytes)
    encoder = WebSocketEncoder(role: role)
  }

  var remoteAddress: String { visible.withLock { $0.remoteAddress } }
  var bufferedBytes: Int { visible.withLock { $0.bufferedBytes } }

  // MARK: Opening

  func connect(to endpoint: WebSocketEndpoint, ways: ClientWays) {
    guard case .connecting = stage else { return }
    timer = loop.schedule(after: options.connectTimeout) { [weak self] in
      guard let self, case .connecting = self.stage else { return }
      self.end(
        .failed(
          TransportError(
            .timedOut, "\(endpoint.url.authority) did not answer within \(self.options.connectTimeout): try again")))
    }
    let opening = WebSocketOpening(loop: loop, endpoint: endpoint, tls: options.tls, ways: ways) { outcome in
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

  /// The handshake is done; `leftover` came behind it.
  func adopt(
    _ stream: SocketStream, leftover: [UInt8], protocolToken: String?, countingWith budget: ReceiveBudget? = nil
  ) {
    guard case .connecting = stage else { return stream.abort() }
    timer?.cancel()
    self.stream = stream
    if let budget { count(with: budget, on: stream) }
    visible.withLock { $0.remoteAddress = stream.remoteAddress }
    stream.onData = { self.receive($0) }
    stream.onEnd = { self.ended($0) }
    stream.onFlushed = { self.flushed() }
    decoder.append(leftover)
    account?.hold(decoder.bufferedBytes, received: leftover.count)
    // From the loop, so that nothing is said before the call that accepted it returns.
    loop.execute {
      guard case .connecting = self.stage else { return }
      self.stage = .open
      self.handler?.webSocketDidOpen(self, protocolToken: protocolToken)
      let waiting = self.queued
      self.queued = []
      self.queuedBytes = 0
      for payload in waiting { self.transmit { $0.binary(payload) } }
      if let (code, reason) = self.closesOnOpen { self.beginClosing(code, reason) }
      self.takeEvents()
      if self.isPaused { self.stream?.stopReading() } else { self.stream?.startReading() }
    }
  }

  // MARK: Receiving

  private func count(with budget: ReceiveBudget, on stream: SocketStream) {
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

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    decoder.append(bytes)
    // Records of TLS may come between the handshake and the opening: they wait.
    if case .connecting = stage { return }
    takeEvents()
    account?.hold(decoder.bufferedBytes, received: bytes.count)
  }

  private func takeEvents() {
    // A handler that pauses and resumes within one message must not get the next inside of it.
    guard !isTakingEvents else { return }
    isTakingEvents = true
    defer { isTakingEvents = false }
    do {
      while stream != nil, !isPaused, let event = try decoder.next() { handle(event) }
    } catch {
      violated(error)
    }
  }

  // MARK: Back-pressure

  func pauseReading() {
    loop.executeNowOrSoon {
      self.isPaused = true
      self.account?.rest()
      if case .open = self.stage { self.stream?.stopReading() }
    }
  }

  func resumeReading() {
    loop.executeNowOrSoon {
      guard self.isPaused else { return }
      self.isPaused = false
      self.readAgain()
    }
  }

  /// From the loop, so that no message comes out of the call that resumes.
  private func readAgain() {
    loop.execute {
      guard !self.isPaused else { return }
      switch self.stage {
      case .connecting, .closed: return
      case .open, .closing: break
      }
      self.takeEvents()
      self.account?.hold(self.decoder.bufferedBytes, received: 0)
      if !self.isPaused { self.stream?.startReading() }
    }
  }

  private func handle(_ event: WebSocketEvent) {
    switch (event, stage) {
    case (.message(let message), .open): handler?.webSocket(self, didReceive: message)
    case (.ping(let payload), .open): if admitsControlFrame() { answerPing(payload) }
    case (.pong, .open): _ = admitsControlFrame()
    case (.close, .closing(let code, let reason)): finish(.closed(code: code, reason: reason, byPeer: false))
    case (.close(let code, let reason), .open):
      stream?.write(encoder.close(code, reason: ""))
      finish(.closed(code: code, reason: reason, byPeer: true))
    default: break
    }
  }

  private func violated(_ violation: WebSocketViolation) {
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

  // MARK: Control frames

  private func admitsControlFrame() -> Bool {
    guard !controlFrames.admits(at: loop.now) else { return true }
    violated(WebSocketViolation(code: .policyViolation, reason: "too many pings and pongs", offset: 0))
    return false
  }

  /// At most one pong waits to be sent: a peer that does not read gets one for the last of its pings.
  private func answerPing(_ payload: [UInt8]) {
    guard let stream else { return }
    guard stream.takenBytes >= pongEnd else { return waitingPong = payload }
    waitingPong = nil
    transmit { $0.pong(payload) }
    pongEnd = stream.takenBytes + UInt64(stream.bufferedBytes)
  }

  private func ended(_ reason: StreamEnd) {
    if case .closing(let code, let text) = stage { return end(.closed(code: code, reason: text, byPeer: false)) }
    end(.failed(reason.error))
  }

  // MARK: Sending

  func send(binary bytes: [UInt8]) {
    loop.executeNowOrSoon {
      switch self.stage {
      case .connecting:
        guard self.closesOnOpen == nil else { return }
        self.queued.append(bytes)
        self.queuedBytes += bytes.count
        self.noteBuffered(self.queuedBytes)
      case .open: self.transmit { $0.binary(bytes) }
      case .closing, .closed: break
      }
    }
  }

  func ping(_ payload: [UInt8]) {
    loop.executeNowOrSoon { if case .open = self.stage { self.transmit { $0.ping(payload) } } }
  }

  private func transmit(_ encode: (inout WebSocketEncoder) -> [UInt8]) {
    guard let stream, case .open = stage else { return }
    stream.write(encode(&encoder))
    noteBuffered(stream.bufferedBytes)
  }

  private func noteBuffered(_ count: Int) {
    visible.withLock { $0.bufferedBytes = count }
    if count > options.writeLowWaterMark { isAboveLowWater = true }
    guard count > options.writeBudget else { return }
    loop.execute {
      self.end(
        .failed(
          TransportError(
            .writeBudgetExceeded, "the peer reads too slowly: more than \(self.options.writeBudget) bytes wait for it"))
      )
    }
  }

  private func flushed() {
    guard let stream else { return }
    let count = stream.bufferedBytes
    visible.withLock { $0.bufferedBytes = count }
    if let waitingPong { answerPing(waitingPong) }
    guard case .open = stage, isAboveLowWater, count <= options.writeLowWaterMark else { return }
    isAboveLowWater = false
    handler?.webSocketDidDrain(self)
  }

  // MARK: Closing

  func close(code: WebSocketCloseCode, reason: String) {
    loop.executeNowOrSoon {
      switch self.stage {
      case .connecting: if self.closesOnOpen == nil { self.closesOnOpen = (code, reason) }
      case .open: self.beginClosing(code, reason)
      case .closing, .closed: break
      }
    }
  }

  /// Ends it before it opened.
  func fail(_ error: TransportError) { loop.execute { self.end(.failed(error)) } }

  func abort() {
    loop.execute { self.end(.failed(TransportError(.aborted, "the connection was cut by this side"))) }
  }

  private func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
    stream?.write(encoder.close(code, reason: reason))
    stage = .closing(code, reason: reason)
    // The peer's close frame must be seen; nothing else is kept or answered from now on.
    decoder.discardMessages()
    waitingPong = nil
    isPaused = false
    readAgain()
    timer = loop.schedule(after: options.closeTimeout) { [weak self] in
      guard let self, case .closing = self.stage else { return }
      self.end(.closed(code: code, reason: reason, byPeer: false))
    }
  }

  /// Ends after what is queued went out.
  private func finish(_ closure: WebSocketClosure) {
    stream?.finish()
    stream = nil
    end(closure)
  }

  private func end(_ closure: WebSocketClosure) {
    if case .closed = stage { return }
    stage = .closed
    account?.close()
    timer?.cancel()
    timer = nil
    opening?.cancel()
    opening = nil
    stream?.abort()
    stream = nil
    queued = []
    visible.withLock { $0.bufferedBytes = 0 }
    let handler = handler
    self.handler = nil
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?()
    handler?.webSocket(self, didClose: closure)
  }
}
