import ChangesetOT

/// The lives of sessions: activation, suspension and deactivation.
extension ClientConnection {
  mutating func activate(_ ident: SessionIdent, _ setup: SessionSetup) {
    guard sessions[ident] == nil, ident > highestIdent else { return }
    highestIdent = ident
    sessions[ident] = ClientSession(setup, backoff: timing.backoff)
    setState(ident, .binding)
    actions.append(.stopTimer(.linger))
    ensureConnection()
    enqueue(ident)
  }

  mutating func deactivate(_ ident: SessionIdent) {
    guard let session = sessions[ident], !session.isDeactivating else { return }
    sessions[ident]?.isDeactivating = true
    setState(ident, .deactivating)
    guard case .open = socket, session.stage.allowsUnbind else { return remove(ident) }
    enqueue(ident)
  }

  mutating func remove(_ ident: SessionIdent) {
    guard let session = sessions.removeValue(forKey: ident) else { return }
    sendQueue.removeAll { $0 == ident }
    if session.throttle.isTimed { actions.append(.stopTimer(.throttle(ident))) }
    if session.uploads.coalescing.isTimed { actions.append(.stopTimer(.coalesce(ident))) }
    actions.append(.stopTimer(.resume(ident)))
    actions.append(.deactivated(ident))
    guard sessions.isEmpty else { return }
    switch socket {
    case .open: actions.append(.startTimer(.linger, after: timing.linger))
    case .opening, .waiting: disconnect()
    case .idle, .stopped, .awaitingOwner: break
    }
  }

  mutating func waitForDownloads(_ ident: SessionIdent, _ wait: WaitIdent) {
    update(ident) { session in
      session.marks.want()
      session.downloadWaits.append(.init(ident: wait, target: session.marks.wanted))
    }
    integrateNext(ident)
    enqueue(ident)
  }

  mutating func reconnectNow() {
    backoff.reset()
    for ident in sessions.keys.sorted() {
      switch sessions[ident]?.availability {
      case .suspended, .failed:
        sessions[ident]?.backoff.reset()
        resume(ident)
      case .running, .awaitingOwner, nil: break
      }
    }
    switch socket {
    case .waiting:
      actions.append(.stopTimer(.reconnect))
      socket = .idle
    case .stopped, .awaitingOwner: socket = .idle
    case .opening(let since): giveUpOpening(since: since)
    case .idle, .open: break
    }
    ensureConnection()
  }

  /// Ends the suspension or failure of a session: BIND follows, after UNBIND when that is due.
  mutating func resume(_ ident: SessionIdent) {
    guard let session = sessions[ident] else { return }
    switch session.availability {
    case .suspended, .failed: break
    case .running, .awaitingOwner: return
    }
    actions.append(.stopTimer(.resume(ident)))
    if case .open = socket, case .bound(let exchange, .errorReceived) = session.stage {
      sessions[ident]?.stage = .bound(exchange, .errorReceived(bindsAgain: true))
      return enqueue(ident)
    }
    sessions[ident]?.availability = .running
    sessions[ident]?.startOver(holdsUploads: !session.hasCompletedDownload)
    setState(ident, .binding)
    enqueue(ident)
  }
}
