import Synchronization
import Telemetry
import Transport

/// One end of a simulated WebSocket.
// @unchecked Sendable: its variables are touched on the simulated loop only; what others read is behind the mutex.
final class SimulatedWebSocket: WebSocketConnection, SimulatedEnd, @unchecked Sendable {
  private enum Stage {
    case connecting, open
    case closing(WebSocketCloseCode, reason: String)
    case closed
  }

  private struct Visible {
    var remoteAddress = ""
    var bufferedBytes = 0
  }

  let ident: ConnectionIdent
  var onEnd: (@Sendable () -> Void)?
  private let network: SimulatedNetwork
  private let role: WebSocketRole
  private let options: WebSocketOptions
  private let visible = Mutex(Visible())
  private var handler: (any WebSocketHandler)?
  private var stream: SimulatedStream?
  private var stage = Stage.connecting
  private var queued: [SimulatedPacket] = []
  private var queuedBytes = 0
  private var closesOnOpen: (WebSocketCloseCode, String)?
  private var isAboveLowWater = false
  private var isPaused = false
  private var endpoint: WebSocketEndpoint?
  private var key = ""

  init(network: SimulatedNetwork, role: WebSocketRole, options: WebSocketOptions, handler: any WebSocketHandler) {
    self.network = network
    self.role = role
    self.options = options
    self.handler = handler
    ident = network.makeConnectionIdent()
  }

  var remoteAddress: String { visible.withLock { $0.remoteAddress } }
  var bufferedBytes: Int { visible.withLock { $0.bufferedBytes } }
  private var side: SimulatedStream.Side { role == .client ? .client : .server }

  // MARK: Opening

  func connect(to endpoint: WebSocketEndpoint, from host: String) {
    guard case .connecting = stage else { return }
    self.endpoint = endpoint
    switch network.openStream(from: host, to: endpoint.url, end: self) {
    case .failure(let error): end(.failed(error))
    case .success(let stream):
      self.stream = stream
      network.loop.schedule(after: options.connectTimeout) { [weak self] in
        guard let self, case .connecting = self.stage else { return }
        self.end(
          .failed(
            TransportError(
              .timedOut, "\(endpoint.url.authority) did not answer within \(self.options.connectTimeout): try again")))
      }
    }
  }

  /// The server's half: the stream is there, the answer is on its way.
  func adopt(_ stream: SimulatedStream) {
    self.stream = stream
    stream.setEnd(self, at: .server)
    visible.withLock { $0.remoteAddress = stream.name(.client) }
  }

  func didOpen(protocolToken: String?) {
    guard case .connecting = stage else { return }
    stage = .open
    if isPaused { stream?.setPaused(true, at: side) }
    handler?.webSocketDidOpen(self, protocolToken: protocolToken)
    let waiting = queued
    queued = []
    queuedBytes = 0
    for packet in waiting { transmit(packet) }
    if let (code, reason) = closesOnOpen { beginClosing(code, reason) }
  }

  // MARK: Receiving

  func receive(_ packet: SimulatedPacket) {
    switch (packet, stage) {
    case (.opened, .connecting):
      guard let endpoint, let stream else { return }
      key = network.world.makeKey()
      let headers = WebSocketHandshake.requestHeaders(for: endpoint, key: key)
      stream.send(
        .request(
          HTTPRequest(
            method: "GET", target: endpoint.url.target, headers: headers, remoteAddress: stream.name(.client),
            isSecure: endpoint.url.scheme.isSecure)), from: .client)
    case (.refused(let error), .connecting): end(.failed(error))
    case (.response(let response), .connecting): finishUpgrade(response)
    case (.message(let message), .open): receive(message)
    case (.ping(let payload), .open): transmit(.pong(payload))
    case (.close(let code, let reason), .closing(let ownCode, let ownReason)):
      _ = (code, reason)
      end(.closed(code: ownCode, reason: ownReason, byPeer: false))
    case (.close(let code, let reason), _):
      stream?.send(.close(code, reason: ""), from: side)
      end(.closed(code: code, reason: reason, byPeer: true))
    default: break
    }
  }

  private func finishUpgrade(_ response: HTTPResponse) {
    guard response.status == 101 else { return end(.refused(response)) }
    do {
      let token = try WebSocketHandshake.checkResponse(
        response.headers, key: key, offered: endpoint?.protocolTokens ?? [])
      visible.withLock { $0.remoteAddress = stream?.name(.server) ?? "" }
      didOpen(protocolToken: token)
    } catch {
      end(.failed(error))
    }
  }

  private func receive(_ message: WebSocketMessage) {
    let bytes = message.bytes
    guard bytes.count > options.maximumMessageBytes else {
      handler?.webSocket(self, didReceive: message)
      return
    }
    let head = Array(bytes.prefix(WebSocketDecoder.oversizedHeadBytes))
    handler?.webSocket(self, didReceive: .oversized(head: head, byteCount: bytes.count))
  }

  func lose(_ error: TransportError) {
    if case .closing(let code, let reason) = stage { return end(.closed(code: code, reason: reason, byPeer: false)) }
    end(.failed(error))
  }

  func abandon() {
    stage = .closed
    queued = []
    if let handler {
      network.world.abandoned.append { [self] in
        handler.webSocket(self, didClose: .failed(TransportError(.connectionLost, "the simulation has ended")))
      }
    }
    handler = nil
    onEnd = nil
  }

  func wasAcknowledged(inFlight: Int) {
    visible.withLock { $0.bufferedBytes = inFlight }
    guard case .open = stage, isAboveLowWater, inFlight <= options.writeLowWaterMark else { return }
    isAboveLowWater = false
    handler?.webSocketDidDrain(self)
  }

  // MARK: Back-pressure

  func pauseReading() { network.loop.executeNowOrSoon { self.setPaused(true) } }

  func resumeReading() { network.loop.executeNowOrSoon { self.setPaused(false) } }

  private func setPaused(_ paused: Bool) {
    guard isPaused != paused else { return }
    switch stage {
    case .connecting: isPaused = paused
    case .open:
      isPaused = paused
      stream?.setPaused(paused, at: side)
    case .closing, .closed: break
    }
  }

  // MARK: Sending

  func send(binary bytes: [UInt8]) { network.loop.executeNowOrSoon { self.enqueue(.message(.binary(bytes))) } }

  func ping(_ payload: [UInt8]) { network.loop.executeNowOrSoon { self.enqueue(.ping(Array(payload.prefix(125)))) } }

  func close(code: WebSocketCloseCode, reason: String) {
    network.loop.executeNowOrSoon {
      switch self.stage {
      case .connecting: if self.closesOnOpen == nil { self.closesOnOpen = (code, reason) }
      case .open: self.beginClosing(code, reason)
      case .closing, .closed: break
      }
    }
  }

  func abort() {
    network.loop.execute {
      if let stream = self.stream, case .open = self.stage { stream.send(.reset, from: self.side) }
      self.end(.failed(TransportError(.aborted, "the connection was cut by this side")))
    }
  }

  private func enqueue(_ packet: SimulatedPacket) {
    switch stage {
    case .connecting:
      guard closesOnOpen == nil else { return }
      queued.append(packet)
      queuedBytes += packet.byteCount
      visible.withLock { $0.bufferedBytes = queuedBytes }
      if queuedBytes > options.writeBudget { exceedBudget() }
    case .open: transmit(packet)
    case .closing, .closed: break
    }
  }

  private func transmit(_ packet: SimulatedPacket) {
    guard let stream, case .open = stage else { return }
    stream.send(packet, from: side)
    let inFlight = stream.inFlight(from: side)
    visible.withLock { $0.bufferedBytes = inFlight }
    if inFlight > options.writeLowWaterMark { isAboveLowWater = true }
    if inFlight > options.writeBudget { exceedBudget() }
  }

  private func exceedBudget() {
    network.loop.execute {
      if let stream = self.stream { stream.send(.reset, from: self.side) }
      self.end(
        .failed(
          TransportError(
            .writeBudgetExceeded, "the peer reads too slowly: more than \(self.options.writeBudget) bytes wait for it"))
      )
    }
  }

  private func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
    stream?.send(.close(code, reason: String(reason.prefix(123))), from: side)
    // The peer's close frame must be seen; messages are dropped from now on.
    setPaused(false)
    stage = .closing(code, reason: reason)
    network.loop.schedule(after: options.closeTimeout) { [weak self] in
      guard let self, case .closing = self.stage else { return }
      self.end(.closed(code: code, reason: reason, byPeer: false))
    }
  }

  private func end(_ closure: WebSocketClosure) {
    if case .closed = stage { return }
    stage = .closed
    queued = []
    visible.withLock { $0.bufferedBytes = 0 }
    stream?.setEnd(nil, at: side)
    let handler = handler
    self.handler = nil
    onEnd?()
    onEnd = nil
    handler?.webSocket(self, didClose: closure)
  }
}
