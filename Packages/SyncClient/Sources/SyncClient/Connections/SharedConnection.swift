import Concurrency
import SyncProtocol
import Telemetry
import Transport

/// One connection to a server with the sessions that share it: runs the machine ``ClientConnection`` and performs its
/// actions.
///
/// All calls on the client's loop. Sockets come and go; the sessions stay until they deactivate themselves. A
/// connection without sessions and without a socket has ended: ``ConnectionPool`` makes another one.
// @unchecked Sendable: its variables are touched on the loop only.
final class SharedConnection: @unchecked Sendable {
  typealias Runner = MachineRunner<ClientConnection, ClientConnection.Event, ClientConnection.Action>

  let target: SyncTarget
  let tokens: any TokenSource
  let environment: SyncEnvironment
  let logger: Logger
  let runner: Runner
  private var sessions: [SessionIdent: SyncSession] = [:]
  private var nextIdent: UInt64 = 0
  private var timers: [ClientConnection.Timer: any Cancellable] = [:]
  var socket: ConnectionSocket?
  private var renewalDelay: Duration = .seconds(1)
  private let whenUnused: (SharedConnection) -> Void
  private(set) var state = ClientConnection.ConnectionState.disconnected
  /// The number of the socket in use. Grows with each socket and when the last one ends: while the number stays the
  /// same, all that was heard came from one process of the server.
  var socketNumber = SocketNumber()

  /// A connection without sessions.
  ///
  /// - Parameter whenUnused: called on the loop when there is neither a session nor a socket any more.
  init(
    target: SyncTarget, tokens: any TokenSource, environment: SyncEnvironment,
    whenUnused: @escaping (SharedConnection) -> Void
  ) {
    self.whenUnused = whenUnused
    self.target = target
    self.tokens = tokens
    self.environment = environment
    logger = environment.logger.child(
      "connection", ["server": .string("\(target.server.host):\(target.server.port)")])
    let scheduler = environment.network.scheduler
    runner = Runner(
      ClientConnection(flavour: target.flavour, timing: environment.timing, seed: environment.seed())
    ) { machine, event in
      machine.handle(event, at: scheduler.now - .zero)
    }
  }

  var scheduler: any Scheduler { environment.network.scheduler }

  // MARK: Events

  /// Gives a session an ident on this connection, to be activated under; the session hears of the connection from here
  /// on.
  func register(_ session: SyncSession) -> SessionIdent {
    nextIdent += 1
    let ident = SessionIdent(nextIdent)
    sessions[ident] = session
    session.connectionChanged(state)
    return ident
  }

  /// Feeds one event; events that arise while actions are performed are handled after it.
  func handle(_ event: ClientConnection.Event) {
    guard runner.handle(event, perform: perform) else { return }
    if socket?.isPaused == true { limitReading() }
    endIfUnused()
  }

  /// Feeds a message of the socket. Never called while actions are performed.
  func receive(_ bytes: [UInt8]) {
    let now = scheduler.now - .zero
    runner.run({ $0.receive(bytes, at: now) }, perform: perform)
    limitReading()
    endIfUnused()
  }

  private func endIfUnused() {
    guard sessions.isEmpty, state == .disconnected else { return }
    socketNumber.advance()
    whenUnused(self)
  }

  // MARK: Actions

  private func perform(_ action: ClientConnection.Action) {
    switch action {
    case .openSocket: openSocket()
    case .closeSocket: closeSocket()
    case .send(let message): send(message)
    case .startTimer(let timer, let delay):
      start(timer, after: delay)
      // Commits made while changes are coalesced are found by the scan that follows.
      if case .coalesce(let ident) = timer { sessions[ident]?.holdCommits() }
    case .stopTimer(let timer):
      timers.removeValue(forKey: timer)?.cancel()
      if case .coalesce(let ident) = timer { sessions[ident]?.hearCommits() }
    case .connectionChanged(let state):
      logger.detail("\(state.rawValue)")
      self.state = state
      for session in sessions.values { session.connectionChanged(state) }
    case .refreshAccessToken, .refreshLocation: renewToken()
    case .logOut: logger.warn("the server refuses the user")
    case .log(let line):
      logger.debug("server says: \(line.message ?? "")", ["session": .string("\(line.session.rawValue)")])
    case .deactivated(let ident): sessions.removeValue(forKey: ident)
    case .storeFileIdent(let ident, _), .scanHistory(let ident, _), .integrate(let ident, _, _, _),
      .sessionChanged(let ident, _), .progressed(let ident, _), .uploadsCompleted(let ident, _),
      .downloadsCompleted(let ident, _), .report(let ident, _), .resetClient(let ident, _), .deleteRealm(let ident),
      .queryRefused(let ident, _, _), .queryCompleted(let ident, _):
      sessions[ident]?.perform(action, on: self)
    }
  }

  private func start(_ timer: ClientConnection.Timer, after delay: Duration) {
    timers[timer]?.cancel()
    timers[timer] = scheduler.schedule(after: delay) { [weak self] in self?.timerEnded(timer) }
  }

  private func timerEnded(_ timer: ClientConnection.Timer) {
    timers[timer] = nil
    // While reading is paused, a PONG may have come and not been read: its absence is no sign of death.
    if timer == .pongTimeout, socket?.isPaused == true {
      return start(timer, after: environment.timing.pongTimeout)
    }
    if case .coalesce(let ident) = timer { sessions[ident]?.hearCommits() }
    handle(.timerEnded(timer))
  }

  // MARK: Tokens

  private func openSocket() {
    let socket = ConnectionSocket(self)
    self.socket = socket
    socketNumber.advance()
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

  /// Gets a new token, then lets the machine try again. While the server cannot be reached, the pauses between attempts
  /// double, up to a minute.
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

/// The number of a socket of one connection.
struct SocketNumber: Hashable, Sendable {
  private(set) var rawValue: UInt64 = 0

  mutating func advance() { rawValue += 1 }
}
