import ChangesetOT

/// The socket: opening, losing, and trying again.
extension ClientConnection {
  /// What follows the wait before a new attempt.
  enum AfterWait: Hashable, Sendable { case connect, refreshToken, refreshLocation }

  mutating func ensureConnection() {
    guard case .idle = socket, !isStopped, !isWaitingForOwner else { return }
    guard sessions.values.contains(where: { $0.rest == .none || $0.rest == .suspended }) else { return }
    socket = .opening
    openingSince = now
    actions.append(.connectionChanged(.connecting))
    actions.append(.startTimer(.connectTimeout, after: timing.connectTimeout))
    actions.append(.openSocket)
  }

  /// Gives up an attempt that hangs, so that another can begin.
  mutating func giveUpOpening() {
    guard case .opening = socket, now - openingSince >= Self.hangsAfter else { return }
    socket = .idle
    actions.append(.closeSocket)
  }

  /// An attempt that took no longer may still come to something.
  private static let hangsAfter: Duration = .seconds(10)

  mutating func socketOpened(_ token: String?) {
    guard case .opening = socket else { return }
    actions.append(.stopTimer(.connectTimeout))
    guard let dialect = Negotiation.accepted(token, flavour: flavour, versions: versions) else {
      actions.append(.closeSocket)
      return stop(
        SyncFailure(
          origin: .violation, message: "no common sync protocol: the server chose \(token ?? "none")",
          action: .protocolViolation, isFatal: true))
    }
    socket = .open(dialect)
    isWriting = false
    heartbeat = Heartbeat(roundTrip: heartbeat.roundTrip)
    actions.append(.connectionChanged(.connected))
    actions.append(.startTimer(.ping, after: random.share(of: timing.pingInterval)))
    let isFast = lastLoss.map { now - $0 <= timing.fastReconnect } ?? false
    for ident in sessions.keys.sorted() {
      guard let session = sessions[ident], session.rest == .none else { continue }
      sessions[ident]?.startOver(holdsUploads: !(isFast && session.hasCompletedDownload))
      sendQueue.append(ident)
    }
    sendNext()
  }

  mutating func socketFailed(_ kind: SocketFailure, _ message: String) {
    let failure = SyncFailure(origin: .network, message: message)
    switch kind {
    case .unreachable: lose(kind: .unreachable, failure)
    case .insecure: lose(kind: .refused, SyncFailure(origin: .closed(.tlsFailed), message: message))
    case .lost: lose(kind: .lost, failure)
    case .violation, .tooLarge: lose(kind: .violation, failure)
    }
  }

  /// The peer broke the protocol: close, tell, try again later.
  mutating func violated(_ message: String) {
    lose(kind: .violation, SyncFailure(origin: .violation, message: message, action: .protocolViolation))
  }

  /// What a close code or a status asks for.
  mutating func react(_ reaction: ConnectionReaction, kind: Backoff.Kind, _ failure: SyncFailure) {
    guard socket != .idle, socket != .waiting else { return }
    var failure = failure
    switch reaction {
    case .retry, .reportAndRetry: lose(kind: kind, failure)
    case .refreshToken: lose(kind: kind, failure, then: .refreshToken)
    case .refreshLocation: lose(kind: kind, failure, then: .refreshLocation)
    case .logOut:
      failure.action = .logOutUser
      failure.isFatal = true
      stop(failure)
      actions.append(.logOut)
    case .resetClient:
      failure.action = .clientReset
      failure.isFatal = true
      stop(failure, reporting: false)
      for ident in sessions.keys.sorted() { awaitOwner(ident, .resetClient(ident, failure)) }
    case .stop:
      failure.action = .applicationBug
      failure.isFatal = true
      stop(failure)
    }
  }

  /// The connection is gone: try again after a while.
  mutating func lose(kind: Backoff.Kind, _ failure: SyncFailure, then: AfterWait = .connect) {
    guard socket != .idle, socket != .waiting else { return }
    let wasOpen = socket != .opening
    for ident in sessions.keys.sorted() where sessions[ident]?.isDeactivating == false {
      actions.append(.report(ident, failure))
    }
    disconnect()
    if wasOpen { lastLoss = now }
    guard !sessions.isEmpty else { return }
    // The first refusal of a token is answered at once; a server that goes on refusing is asked less and less often.
    if then != .connect, askedSinceProgress == 0 {
      askedSinceProgress = 1
      return askOwner(then == .refreshToken ? .refreshAccessToken : .refreshLocation)
    }
    afterWait = then
    socket = .waiting
    actions.append(.startTimer(.reconnect, after: backoff.next(after: kind, using: &random)))
  }

  mutating func askOwner(_ action: Action) {
    isWaitingForOwner = true
    actions.append(action)
  }

  /// The connection is gone for good, until the application asks.
  mutating func stop(_ failure: SyncFailure, reporting: Bool = true) {
    isStopped = true
    if reporting {
      for ident in sessions.keys.sorted() where sessions[ident]?.isDeactivating == false {
        actions.append(.report(ident, failure))
      }
    }
    disconnect()
  }

  /// Closes what is open; sessions go back to before BIND, those that are ending have ended.
  mutating func disconnect() {
    let wasConnected = socket != .idle && socket != .waiting
    socket = .idle
    isWriting = false
    sendQueue = []
    heartbeat = Heartbeat(roundTrip: heartbeat.roundTrip)
    for timer in [Timer.connectTimeout, .ping, .pongTimeout, .linger, .reconnect] { actions.append(.stopTimer(timer)) }
    if wasConnected {
      actions.append(.closeSocket)
      actions.append(.connectionChanged(.disconnected))
    }
    for ident in sessions.keys.sorted() {
      guard let session = sessions[ident] else { continue }
      if session.isDeactivating {
        remove(ident)
        continue
      }
      sessions[ident]?.startOver(holdsUploads: true)
      if session.rest == .none { setState(ident, .binding) }
    }
  }

  // MARK: Signs of life

  mutating func pingDue() {
    guard case .open = socket, heartbeat.outstanding == nil, !heartbeat.isDue else { return }
    heartbeat.isDue = true
    actions.append(.startTimer(.pongTimeout, after: timing.pongTimeout))
    sendNext()
  }

  mutating func pingNow() {
    guard case .open = socket else { return }
    actions.append(.stopTimer(.ping))
    pingDue()
  }

  mutating func ponged(_ message: PongMessage) {
    guard heartbeat.outstanding == message.timestamp else { return violated("PONG without its PING") }
    heartbeat.outstanding = nil
    let milliseconds = UInt64(max(0, now.wholeMilliseconds))
    heartbeat.roundTrip = milliseconds >= message.timestamp ? milliseconds - message.timestamp : 0
    actions.append(.stopTimer(.pongTimeout))
    let spent = Duration.milliseconds(Int64(clamping: heartbeat.roundTrip))
    let interval = timing.pingInterval - random.share(of: timing.pingInterval / 10) - spent
    actions.append(.startTimer(.ping, after: max(.zero, interval)))
  }
}
