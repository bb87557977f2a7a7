import ChangesetOT

extension ClientConnection {
  /// Handles an event and returns the actions that follow, in their order.
  ///
  /// - Parameter now: the time of a monotonic clock with any zero.
  /// - Complexity: O(1), and O(*n*) in the entries of a DOWNLOAD; O(sessions) when the connection opens or ends.
  public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    self.now = now
    switch event {
    case .activate(let ident, let setup): activate(ident, setup)
    case .deactivate(let ident): deactivate(ident)
    case .waitForUploads(let ident, let wait):
      update(ident) { $0.uploadWaits.append(.init(ident: wait, target: $0.newest)) }
      completeUploadWaits(ident)
      scanForUpload(ident)
      integrateNext(ident)
    case .waitForDownloads(let ident, let wait): waitForDownloads(ident, wait)
    case .changeQuery(let ident, let query, let after):
      update(ident) { $0.pendingQueries.append(.init(query: query, after: after)) }
      enqueue(ident)
    case .reconnectNow: reconnectNow()
    case .checkLiveness: pingNow()
    case .localCommit(let ident, let newest):
      update(ident) { $0.newest = max($0.newest, newest) }
      scanForUpload(ident)
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

  /// Handles the bytes of a message; bytes that are no message close the connection.
  ///
  /// - Complexity: O(size of the message and its inflated body).
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
    // In place: the queue of the session must not be copied.
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

  private mutating func timerEnded(_ timer: Timer) {
    switch timer {
    case .reconnect:
      guard case .waiting(let next) = socket else { return }
      socket = .idle
      switch next {
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
      guard sessions[ident]?.availability == .suspended else { return }
      resume(ident)
    case .throttle(let ident): throttleEnded(ident)
    case .coalesce(let ident): coalescingEnded(ident)
    }
  }
}
