import Synchronization
import Telemetry
import Transport

// @unchecked Sendable: its variables are touched on the simulated loop only; what others read is behind the mutex.
/// One end of a simulated WebSocket.
final class SimulatedWebSocket: WebSocketConnection, SimulatedEnd, @unchecked Sendable {
  enum Stage {
    case connecting, open
    case closing(WebSocketCloseCode, reason: String)
    case closed
  }

  struct Visible {
    var remoteAddress = ""
    var bufferedBytes = 0
  }

  let ident: ConnectionIdent
  var onEnd: (@Sendable () -> Void)?
  let network: SimulatedNetwork
  let role: WebSocketRole
  let options: WebSocketOptions
  let visible = Mutex(Visible())
  var handler: (any WebSocketHandler)?
  var stream: SimulatedStream?
  var stage = Stage.connecting
  var queued: [SimulatedPacket] = []
  var queuedBytes = 0
  var closesOnOpen: (WebSocketCloseCode, String)?
  var isAboveLowWater = false
  var isPaused = false
  var endpoint: WebSocketEndpoint?
  var key = ""

  init(network: SimulatedNetwork, role: WebSocketRole, options: WebSocketOptions, handler: any WebSocketHandler) {
    self.network = network
    self.role = role
    self.options = options
    self.handler = handler
    ident = network.makeConnectionIdent()
  }

  var remoteAddress: String { visible.withLock { $0.remoteAddress } }
  var bufferedBytes: Int { visible.withLock { $0.bufferedBytes } }
  var side: SimulatedStream.Side { role == .client ? .client : .server }

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

  /// Takes the stream over at the server, while the answer to the upgrade is under way.
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
    switch packet {
    case .opened: if case .connecting = stage { requestUpgrade() }
    case .refused(let error): if case .connecting = stage { end(.failed(error)) }
    case .response(let response): if case .connecting = stage { finishUpgrade(response) }
    case .message(let message): if case .open = stage { receive(message) }
    case .ping(let payload): if case .open = stage { transmit(.pong(payload)) }
    case .close(let code, let reason):
      if case .closing(let ownCode, let ownReason) = stage {
        return end(.closed(code: ownCode, reason: ownReason, byPeer: false))
      }
      stream?.send(.close(code, reason: ""), from: side)
      end(.closed(code: code, reason: reason, byPeer: true))
    case .open, .request, .pong, .reset, .head, .part, .end: break
    }
  }

  func requestUpgrade() {
    guard let endpoint, let stream else { return }
    key = network.world.makeKey()
    let headers = WebSocketHandshake.requestHeaders(for: endpoint, key: key)
    let request = HTTPRequest(
      method: "GET", target: endpoint.url.target, headers: headers, remoteAddress: stream.name(.client),
      isSecure: endpoint.url.scheme.isSecure)
    stream.send(.request(request), from: .client)
  }

  func finishUpgrade(_ response: HTTPResponse) {
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

  func receive(_ message: WebSocketMessage) {
    let bytes = message.bytes
    var limit = options.maximumMessageBytes
    if case .text = message { limit = min(limit, WebSocketDecoder.maximumTextBytes) }
    guard bytes.count > limit else {
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

  func setPaused(_ paused: Bool) {
    guard isPaused != paused else { return }
    switch stage {
    case .connecting: isPaused = paused
    case .open:
      isPaused = paused
      stream?.setPaused(paused, at: side)
    case .closing, .closed: break
    }
  }
}
