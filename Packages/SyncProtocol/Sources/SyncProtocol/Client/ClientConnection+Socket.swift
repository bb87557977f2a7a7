import ChangesetOT

/// The socket: opening, loss and back-off.
extension ClientConnection {
  mutating func ensureConnection() {
    guard case .idle = socket else { return }
    guard sessions.values.contains(where: { $0.availability == .running || $0.availability == .suspended }) else {
      return
    }
    socket = .opening(since: now)
    actions.append(.connectionChanged(.connecting))
    actions.append(.startTimer(.connectTimeout, after: timing.connectTimeout))
    actions.append(.openSocket)
  }

  /// Gives up an attempt that hangs, so that another can begin.
  mutating func giveUpOpening(since start: Duration) {
    guard now - start >= Self.hangsAfter else { return }
    socket = .idle
    actions.append(.closeSocket)
  }

  /// A younger attempt may still succeed.
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
      guard let session = sessions[ident], session.availability == .running else { continue }
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

  /// Handles a server that breaks the protocol: close, report, try again later.
  mutating func violated(_ message: String) {
    lose(kind: .violation, SyncFailure(origin: .violation, message: message, action: .protocolViolation))
  }

  /// Reacts to a close code or a status.
  mutating func react(_ reaction: ConnectionReaction, kind: Backoff.Kind, _ failure: SyncFailure) {
    guard socket.isConnected else { return }
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

  /// Handles the loss of the connection: another attempt follows after the back-off.
  mutating func lose(kind: Backoff.Kind, _ failure: SyncFailure, then next: SocketState.AfterWait = .connect) {
    guard socket.isConnected else { return }
    let wasOpen = if case .open = socket { true } else { false }
    for ident in sessions.keys.sorted() where sessions[ident]?.isDeactivating == false {
      actions.append(.report(ident, failure))
    }
    disconnect()
    if wasOpen { lastLoss = now }
    guard !sessions.isEmpty else { return }
    // The first refusal of a token is answered at once; a server that goes on refusing is asked less and less often.
    if askedSinceProgress == 0 {
      switch next {
      case .connect: break
      case .refreshToken:
        askedSinceProgress = 1
        return askOwner(.refreshAccessToken)
      case .refreshLocation:
        askedSinceProgress = 1
        return askOwner(.refreshLocation)
      }
    }
    socket = .waiting(then: next)
    actions.append(.startTimer(.reconnect, after: backoff.next(after: kind, using: &random)))
  }

  mutating func askOwner(_ action: Action) {
    socket = .awaitingOwner
    actions.append(action)
  }

  /// Ends the connection until ``Event/reconnectNow``.
  mutating func stop(_ failure: SyncFailure, reporting: Bool = true) {
    if reporting {
      for ident in sessions.keys.sorted() where sessions[ident]?.isDeactivating == false {
        actions.append(.report(ident, failure))
      }
    }
    disconnect()
    socket = .stopped
  }

  /// Closes the socket. Sessions return to the stage before BIND; deactivating sessions end.
  mutating func disconnect() {
    let wasConnected = socket.isConnected
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
      if session.availability == .running { setState(ident, .binding) }
    }
  }

  // MARK: Heartbeat

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
