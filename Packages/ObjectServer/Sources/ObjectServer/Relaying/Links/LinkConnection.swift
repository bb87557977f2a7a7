import Concurrency
import Telemetry
import Transport

/// The connection of a link: runs ``PeerLink`` and performs its effects, once both nodes have proved the key.
// @unchecked Sendable: its variables are accessed on the loop only.
final class LinkConnection: WebSocketHandler, @unchecked Sendable {
  private enum Stage {
    /// The node is not asked yet, as it failed a moment ago, or is being asked.
    case opening
    /// The other node has not proved the key.
    case proving(LinkHandshake)
    case open
    case closed
  }

  let role: PeerLink.Role
  /// The name of the other node.
  let peer: String
  private weak var links: PeerLinks?
  /// The server's memory for messages that are arriving.
  private let budget: ReceiveBudget
  private let logger: Logger
  private let makeIdent: @Sendable () -> ConnectionIdent
  private var stage: Stage
  private var machine: PeerLink
  private var socket: (any WebSocketConnection)?
  private var streams: [UInt64: LinkStream] = [:]
  private var timer: (any Cancellable)?
  private var isPumping = false
  private var isPumpScheduled = false
  /// The time since which the link has no streams, or is not open.
  private var idleSince: MonotonicInstant
  /// The time of its opening, or of its making.
  private(set) var openSince: MonotonicInstant
  let scheduler: any Scheduler

  init(_ role: PeerLink.Role, peer: String, handshake: LinkHandshake?, links: PeerLinks) {
    self.role = role
    self.peer = peer
    self.links = links
    (budget, logger) = (links.budget, links.logger)
    scheduler = links.scheduler
    makeIdent = links.makeIdent
    stage = handshake.map { .proving($0) } ?? .opening
    machine = PeerLink(role, limits: links.limits, at: scheduler.now)
    (idleSince, openSince) = (scheduler.now, scheduler.now)
    startTimer()
  }

  var isOpen: Bool {
    switch stage {
    case .open: true
    case .opening, .proving, .closed: false
    }
  }

  var streamCount: Int { machine.streamCount }

  func bufferedBytes(of number: UInt64) -> Int { machine.bufferedBytes(of: number) }

  // MARK: Opening

  /// Asks the other node.
  func connect(_ handshake: LinkHandshake, _ begin: (any WebSocketHandler) throws -> any WebSocketConnection) {
    guard case .opening = stage else { return }
    stage = .proving(handshake)
    do {
      socket = try begin(self)
    } catch {
      lose(TransportError(.invalidConfiguration, "the address of the node cannot be used: \(error)"))
    }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    socket = connection
    guard role == .acceptor, case .proving(let handshake) = stage else { return }
    do { connection.send(binary: try handshake.challenge()) } catch { connection.abort() }
  }

  private func prove(_ handshake: LinkHandshake, with bytes: [UInt8]) {
    do {
      switch role {
      case .opener: socket?.send(binary: try handshake.proof(answering: bytes))
      case .acceptor: try handshake.check(proof: bytes)
      }
      stage = .open
      (idleSince, openSince) = (scheduler.now, scheduler.now)
      machine.begin(at: scheduler.now)
      links?.opened(self)
    } catch {
      socket?.close(code: .policyViolation, reason: "no proof of the cluster's key")
    }
  }

  // MARK: Streams

  /// Opens a stream. One that finds no room fails at once.
  func open(_ opening: StreamOpening, _ options: WebSocketOptions, _ handler: any WebSocketHandler) -> LinkStream {
    let number = machine.open(opening, options, at: scheduler.now)
    let stream = LinkStream(
      number, on: self, ident: makeIdent(), remoteAddress: peer, group: nil, handler: handler)
    if let number {
      streams[number] = stream
      links?.streamsChanged(by: 1)
      schedulePump()
    } else {
      scheduler.execute { stream.closed(.failed(TransportError(.tooLarge, "the link has no room for the stream"))) }
    }
    return stream
  }

  func accept(
    _ number: UInt64, _ protocolToken: String?, _ options: WebSocketOptions, from address: String,
    _ handler: any WebSocketHandler
  ) {
    let stream = LinkStream(
      number, on: self, ident: makeIdent(), remoteAddress: address, group: options.budgetGroup, handler: handler)
    guard machine.accept(number, protocolToken: protocolToken, options) else {
      return stream.closed(.failed(TransportError(.connectionLost, "the stream has ended")))
    }
    streams[number] = stream
    links?.streamsChanged(by: 1)
    pump()
  }

  /// Changes the machine; effects follow soon, those of several changes together.
  func change(_ body: (inout PeerLink) -> Void) {
    body(&machine)
    schedulePump()
  }

  // MARK: Effects

  private func schedulePump() {
    guard !isPumpScheduled else { return }
    isPumpScheduled = true
    scheduler.execute { [self] in
      isPumpScheduled = false
      pump()
    }
  }

  private func pump() {
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    while let effect = machine.next(room: room) { perform(effect) }
  }

  /// The bytes that may be written now. Little is handed to the socket, so that streams can take turns.
  private var room: Int {
    guard isOpen, let socket else { return 0 }
    return RelayLimits.linkBuffer - socket.bufferedBytes
  }

  private func perform(_ effect: PeerLink.Effect) {
    switch effect {
    case .write(let bytes): socket?.send(binary: bytes)
    case .offered(let number, let opening):
      links?.decide(opening, by: peer, LinkResponder(number, on: self, address: opening.address))
    case .opened(let number, let token): streams[number]?.opened(token)
    case .received(let number, let message): streams[number]?.received(message)
    case .arriving(let number, let bytes, let received):
      guard role == .acceptor else { return }
      streams[number]?.arriving(bytes, received: received, countingWith: budget)
    case .drained(let number): streams[number]?.drained()
    case .closed(let number, let closure): closed(number, closure)
    case .end(let code, let reason):
      logger.error("a node broke the rules of the link", ["node": .string(peer), "reason": .string(reason)])
      socket?.close(code: code, reason: reason)
    }
  }

  private func closed(_ number: UInt64, _ closure: WebSocketClosure) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    links?.streamsChanged(by: -1)
    if streams.isEmpty { idleSince = scheduler.now }
    stream.closed(closure)
  }

  // MARK: Socket

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return connection.close(code: .unacceptableData, reason: "") }
    switch stage {
    case .opening, .closed: return
    case .proving(let handshake): prove(handshake, with: bytes)
    case .open: machine.received(bytes, at: scheduler.now)
    }
    pump()
  }

  func webSocketDidDrain(_ connection: any WebSocketConnection) { pump() }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    let error =
      if case .failed(let error) = closure { error } else {
        TransportError(.connectionLost, "the other node closed the link: \(closure)")
      }
    lose(error)
  }

  private func lose(_ error: TransportError) {
    if case .closed = stage { return }
    let wasOpen = isOpen
    stage = .closed
    timer?.cancel()
    socket = nil
    machine.lose(error)
    links?.closed(self, wasOpen: wasOpen, error)
    schedulePump()
  }

  // MARK: Time

  private func startTimer() {
    timer = scheduler.schedule(after: RelayLimits.heartbeat) { [weak self] in self?.beat() }
  }

  private func beat() {
    guard machine.tick(at: scheduler.now) else { return abort() }
    if !isOpen, scheduler.now - idleSince > RelayLimits.connecting, socket != nil { return abort() }
    if role == .opener, streams.isEmpty, scheduler.now - idleSince >= RelayLimits.idleLink { return close() }
    startTimer()
    pump()
  }

  /// Ends the link in good order: what waits is sent as far as the socket takes it.
  func close() {
    pump()
    let socket = socket
    lose(TransportError(.aborted, "this node does not need the link"))
    socket?.close(code: .goingAway, reason: "")
  }

  /// Cuts the link.
  func abort() {
    let socket = socket
    lose(TransportError(.timedOut, "the other node says nothing"))
    socket?.abort()
  }
}
