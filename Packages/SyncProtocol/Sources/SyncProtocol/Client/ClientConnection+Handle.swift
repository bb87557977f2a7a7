import ChangesetOT

extension ClientConnection {
  /// Takes an event and answers what to do, in order.
  ///
  /// - Parameter now: the time on any clock that never goes backwards, since any zero.
  /// - Complexity: O(1), and O(*n*) in the entries of a DOWNLOAD; O(sessions) when the connection opens or ends.
  public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    self.now = now
    switch event {
    case .activate(let ident, let setup): activate(ident, setup)
    case .deactivate(let ident): deactivate(ident)
    case .waitForUploads(let ident, let wait):
      update(ident) { $0.uploadWaits.append(.init(ident: wait, target: $0.newest)) }
      completeUploadWaits(ident)
      pumpUpload(ident)
      pumpIntegration(ident)
    case .waitForDownloads(let ident, let wait): waitForDownloads(ident, wait)
    case .changeQuery(let ident, let query, let after):
      update(ident) { $0.pendingQueries.append(.init(query: query, after: after)) }
      enqueue(ident)
    case .reconnectNow: reconnectNow()
    case .checkLiveness: pingNow()
    case .localCommit(let ident, let newest):
      update(ident) { $0.newest = max($0.newest, newest) }
      pumpUpload(ident)
    case .fileIdentStored(let ident, let newest): fileIdentStored(ident, newest)
    case .historyScanned(let ident, let work, let scan): historyScanned(ident, work, scan)
    case .integrated(let ident, let work, let progress, let newest): integrated(ident, work, progress, newest)
    case .workFailed(let ident, let code, let message): workFailed(ident, code, message)
    case .socketOpened(let token): socketOpened(token)
    case .socketRefused(let status, let message):
      react(
        ConnectionReaction(httpStatus: status), kind: .refused,
        SyncFailure(origin: .status(status), message: "the server answered \(status): \(message)"))
    case .socketClosed(let code, let reason):
      let text = reason.isEmpty ? "the connection was closed with \(code)" : reason
      react(code.reaction, kind: .closed, SyncFailure(origin: .closed(code), message: text))
    case .socketFailed(let kind, let message): socketFailed(kind, message)
    case .writable:
      isWriting = false
      sendNext()
    case .received(let message): received(message)
    case .timerEnded(let timer): timerEnded(timer)
    }
    return takeActions()
  }

  /// Takes the bytes of a message; what cannot be read closes the connection.
  public mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Action] {
    guard case .open(let dialect) = socket else { return [] }
    do {
      return handle(.received(try MessageDecoder(dialect: dialect, limits: limits).serverMessage(bytes)), at: now)
    } catch {
      self.now = now
      violated("message cannot be read: \(error)")
      return takeActions()
    }
  }

  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  mutating func update(_ ident: SessionIdent, _ change: (inout ClientSession) -> Void) {
    // In place: what arrived and waits must not be copied for it.
    guard let index = sessions.index(forKey: ident) else { return }
    change(&sessions.values[index])
  }

  mutating func setState(_ ident: SessionIdent, _ state: SessionState) {
    guard sessions[ident] != nil, sessions[ident]?.state != state else { return }
    sessions[ident]?.state = state
    actions.append(.sessionChanged(ident, state))
  }

  mutating func nextWork() -> WorkIdent {
    work += 1
    return WorkIdent(rawValue: work)
  }

  // MARK: Activation

  private mutating func activate(_ ident: SessionIdent, _ setup: SessionSetup) {
    guard sessions[ident] == nil, ident > highestIdent else { return }
    highestIdent = ident
    sessions[ident] = ClientSession(setup, backoff: timing.backoff)
    setState(ident, .binding)
    actions.append(.stopTimer(.linger))
    ensureConnection()
    enqueue(ident)
  }

  private mutating func deactivate(_ ident: SessionIdent) {
    guard let session = sessions[ident], !session.isDeactivating else { return }
    sessions[ident]?.isDeactivating = true
    setState(ident, .deactivating)
    guard case .open = socket, session.isBound, !session.unbindSent else { return remove(ident) }
    enqueue(ident)
  }

  mutating func remove(_ ident: SessionIdent) {
    guard let session = sessions.removeValue(forKey: ident) else { return }
    sendQueue.removeAll { $0 == ident }
    if session.throttle.isTimed { actions.append(.stopTimer(.throttle(ident))) }
    if session.coalescing.isTimed { actions.append(.stopTimer(.coalesce(ident))) }
    actions.append(.stopTimer(.resume(ident)))
    actions.append(.deactivated(ident))
    guard sessions.isEmpty else { return }
    switch socket {
    case .open: actions.append(.startTimer(.linger, after: timing.linger))
    case .opening, .waiting: disconnect()
    case .idle: break
    }
  }

  private mutating func waitForDownloads(_ ident: SessionIdent, _ wait: WaitIdent) {
    update(ident) { session in
      session.markWanted = RequestIdent(session.markSent.rawValue + 1)
      session.downloadWaits.append(.init(ident: wait, target: session.markWanted))
    }
    pumpIntegration(ident)
    enqueue(ident)
  }

  private mutating func reconnectNow() {
    isWaitingForOwner = false
    isStopped = false
    backoff.reset()
    for ident in sessions.keys.sorted() {
      guard let session = sessions[ident], session.rest == .suspended || session.rest == .failed else { continue }
      sessions[ident]?.backoff.reset()
      resume(ident)
    }
    if case .waiting = socket {
      actions.append(.stopTimer(.reconnect))
      socket = .idle
    }
    giveUpOpening()
    ensureConnection()
  }

  /// Ends the rest of a session: with BIND, once UNBIND is out.
  mutating func resume(_ ident: SessionIdent) {
    guard let session = sessions[ident], session.rest != .none, session.rest != .awaitingOwner else { return }
    actions.append(.stopTimer(.resume(ident)))
    if case .open = socket, session.errorReceived, !session.unbindSent {
      sessions[ident]?.resumesAfterUnbind = true
      return enqueue(ident)
    }
    sessions[ident]?.rest = .none
    sessions[ident]?.startOver(holdsUploads: !session.hasCompletedDownload)
    setState(ident, .binding)
    enqueue(ident)
  }

  private mutating func timerEnded(_ timer: Timer) {
    switch timer {
    case .reconnect:
      guard case .waiting = socket else { return }
      socket = .idle
      switch afterWait {
      case .connect: ensureConnection()
      case .refreshToken: askOwner(.refreshAccessToken)
      case .refreshLocation: askOwner(.refreshLocation)
      }
    case .connectTimeout:
      guard case .opening = socket else { return }
      socketFailed(.unreachable, "the server did not answer in time")
    case .ping: pingDue()
    case .pongTimeout:
      guard case .open = socket else { return }
      socketFailed(.lost, "the server gave no sign of life")
    case .linger:
      guard sessions.isEmpty, case .open = socket else { return }
      disconnect()
    case .resume(let ident):
      guard sessions[ident]?.rest == .suspended else { return }
      resume(ident)
    case .throttle(let ident): throttleEnded(ident)
    case .coalesce(let ident): coalescingEnded(ident)
    }
  }
}
