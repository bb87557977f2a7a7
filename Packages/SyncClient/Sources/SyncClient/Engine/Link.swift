import SyncProtocol
import Telemetry
import Transport

/// One connection to a server with the sessions that share it: runs the protocol's machine, and performs what it asks for.
// @unchecked Sendable: its variables are touched on the loop only.
final class Link: @unchecked Sendable {
  let target: SyncTarget
  let tokens: any TokenSource
  let environment: SyncEnvironment
  let logger: Logger
  private var machine: ClientConnection
  private var sessions: [SessionIdent: SyncSession] = [:]
  private var nextIdent: UInt64 = 0
  private var timers: [ClientConnection.Timer: any Cancellable] = [:]
  private var events: [ClientConnection.Event] = []
  private var isHandling = false
  private var socket: LinkSocket?
  /// Whether bytes are dearer than the work of compressing them.
  private var compresses = true
  private var renewalDelay: Duration = .seconds(1)
  /// Told when there is neither a session nor a connection any more. Whoever comes then gets another link.
  private let whenUnused: (Link) -> Void
  private(set) var state = ClientConnection.ConnectionState.disconnected
  /// Counts the connections, and the end of the last one: while it stays the same, nothing but the same process of the
  /// server has spoken.
  private(set) var connectionCount: UInt64 = 0

  /// No more than this is handed to the socket before it has drained.
  private static let writeHighWater = 4 << 20
  /// Bytes of downloads that wait for the disk at which reading pauses. It goes on at half.
  static let readHighWater = 4 << 20

  init(
    target: SyncTarget, tokens: any TokenSource, environment: SyncEnvironment, whenUnused: @escaping (Link) -> Void
  ) {
    self.whenUnused = whenUnused
    self.target = target
    self.tokens = tokens
    self.environment = environment
    logger = environment.logger.child("link", ["server": .string("\(target.server.host):\(target.server.port)")])
    machine = ClientConnection(timing: environment.timing, seed: environment.seed())
  }

  var scheduler: any Scheduler { environment.network.scheduler }
  private var now: Duration { scheduler.now - .zero }

  // MARK: Sessions

  /// Binds a session to the connection, under a new ident.
  func activate(_ session: SyncSession, _ setup: SessionSetup) -> SessionIdent {
    nextIdent += 1
    let ident = SessionIdent(nextIdent)
    sessions[ident] = session
    session.connectionChanged(state)
    handle(.activate(ident, setup))
    return ident
  }

  /// Feeds one event; events that arise while actions are performed wait their turn.
  func handle(_ event: ClientConnection.Event) {
    events.append(event)
    guard !isHandling else { return }
    isHandling = true
    while !events.isEmpty {
      let event = events.removeFirst()
      perform(machine.handle(event, at: now))
    }
    isHandling = false
    if socket?.isPaused == true { holdBack() }
    endIfUnused()
  }

  func receive(_ bytes: [UInt8]) {
    precondition(!isHandling, "a socket does not speak while its connection acts")
    isHandling = true
    perform(machine.receive(bytes, at: now))
    isHandling = false
    if !events.isEmpty { handle(events.removeFirst()) }
    holdBack()
    endIfUnused()
  }

  private func endIfUnused() {
    guard sessions.isEmpty, state == .disconnected else { return }
    connectionCount += 1
    whenUnused(self)
  }

  /// Bytes of downloads that wait for the disk.
  var waitingBytes: Int { machine.waitingDownloadBytes }

  /// Reads no further while much waits for the disk: TCP holds the server up.
  private func holdBack() {
    guard let socket, let connection = socket.connection else { return }
    let waiting = waitingBytes
    if !socket.isPaused, waiting > Self.readHighWater {
      socket.isPaused = true
      connection.pauseReading()
    } else if socket.isPaused, waiting <= Self.readHighWater / 2 {
      socket.isPaused = false
      connection.resumeReading()
    }
  }

  private func perform(_ actions: [ClientConnection.Action]) {
    for action in actions { perform(action) }
  }

  private func perform(_ action: ClientConnection.Action) {
    switch action {
    case .openSocket: openSocket()
    case .closeSocket: closeSocket()
    case .send(let message): send(message)
    case .startTimer(let timer, let delay):
      timers[timer]?.cancel()
      timers[timer] = scheduler.schedule(after: delay) { [weak self] in self?.timerEnded(timer) }
      // What is committed while changes gather is found with them.
      if case .coalesce(let ident) = timer { sessions[ident]?.stopListening() }
    case .stopTimer(let timer):
      timers.removeValue(forKey: timer)?.cancel()
      if case .coalesce(let ident) = timer { sessions[ident]?.listen() }
    case .connectionChanged(let state):
      logger.detail("\(state.rawValue)")
      self.state = state
      for session in sessions.values { session.connectionChanged(state) }
    case .refreshAccessToken, .refreshLocation: renewToken()
    case .logOut: logger.warn("the server refuses the user")
    case .log(let line):
      logger.debug("server says: \(line.message ?? "")", ["session": .string("\(line.session.rawValue)")])
    case .deactivated(let ident): sessions.removeValue(forKey: ident)
    case .storeFileIdent(let ident, _), .scanHistory(let ident, _), .integrate(let ident, _, _),
      .sessionChanged(let ident, _), .progressed(let ident, _), .uploadsCompleted(let ident, _),
      .downloadsCompleted(let ident, _), .report(let ident, _), .resetClient(let ident, _), .deleteRealm(let ident),
      .queryRefused(let ident, _, _):
      sessions[ident]?.perform(action, on: self)
    }
  }

  private func timerEnded(_ timer: ClientConnection.Timer) {
    timers[timer] = nil
    if timer == .pongTimeout, socket?.isPaused == true {
      // The PONG may have come and not been read: that is no sign of death.
      return perform(.startTimer(timer, after: environment.timing.pongTimeout))
    }
    if case .coalesce(let ident) = timer { sessions[ident]?.listen() }
    handle(.timerEnded(timer))
  }

  // MARK: The socket

  private func openSocket() {
    let socket = LinkSocket(self)
    self.socket = socket
    connectionCount += 1
    tokens.token(renewing: false) { [weak self] result in
      guard let self, self.socket === socket else { return }
      switch result {
      case .success(let token):
        renewalDelay = .seconds(1)
        connect(socket, token)
      case .failure(.unreachable(let message)): handle(.socketFailed(.unreachable, message: message))
      case .failure(.loginEnded(let message)): handle(.socketRefused(status: 403, message: message))
      }
    }
  }

  private func connect(_ socket: LinkSocket, _ token: String) {
    let target = environment.decorate?(target) ?? target
    var url = target.server
    compresses = !url.isThisMachine
    url.target = UpgradePath.target(servicePath: url.target, accessToken: token)
    var options = WebSocketOptions()
    options.connectTimeout = environment.timing.connectTimeout
    options.maximumMessageBytes = machine.limits.messageBytes
    options.tls = target.trust
    var headers = target.headers
    if headers["User-Agent"] == nil { headers["User-Agent"] = "RealmSync/14.14.0 (OpenRealm Swift)" }
    let endpoint = WebSocketEndpoint(url: url, protocolTokens: machine.protocolTokens, headers: headers)
    socket.connection = environment.network.connectWebSocket(to: endpoint, options: options, handler: socket)
  }

  private func closeSocket() {
    socket?.close()
    socket = nil
  }

  private func send(_ message: ClientMessage) {
    guard let socket, let connection = socket.connection else { return }
    connection.send(binary: message.encoded(for: machine.dialect ?? Dialect(), compressing: compresses))
    if connection.bufferedBytes < Self.writeHighWater {
      events.append(.writable)
    } else {
      socket.waitsForDrain = true
    }
  }

  /// Gets a new token, then lets the machine try again; asks less and less often while the server cannot be reached.
  private func renewToken() {
    tokens.token(renewing: true) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: handle(.reconnectNow)
      case .failure(.unreachable(let message)):
        logger.info("cannot renew the token: \(message)")
        renewalDelay = min(renewalDelay * 2, .seconds(60))
        scheduler.schedule(after: renewalDelay) { [weak self] in self?.renewToken() }
      case .failure(.loginEnded(let message)):
        let failure = SyncFailure(
          origin: .status(401), message: "the login has ended: \(message)", action: .logOutUser, isFatal: true)
        for session in sessions.values { session.failed(failure) }
      }
    }
  }
}
