import ChangesetOT

extension ServerConnection {
  mutating func received(_ message: ClientMessage) {
    switch message {
    case .ping(let ping): actions.append(.send(.pong(PongMessage(timestamp: ping.timestamp))))
    case .bind(let bind): bound(bind)
    case .testCommand: fail(ConnectionFailure(.unknownMessage, "test_command is not served"))
    case .ident, .upload, .mark, .unbind, .jsonError, .query: receivedForSession(message)
    }
  }

  private mutating func receivedForSession(_ message: ClientMessage) {
    guard let ident = message.session, let session = sessions[ident] else {
      return fail(ConnectionFailure(.badSessionIdent, "\(message.session ?? .connection) is not bound"))
    }
    if session.hasFailed {
      if case .unbind = message { sessions[ident] = nil }
      return
    }
    switch message {
    case .ident(let claim): identified(claim)
    case .upload(let upload): uploaded(upload)
    case .mark(let mark): marked(mark)
    case .unbind: unbound(session)
    case .jsonError(let error): downloadRefused(ident, error)
    case .query(let change): queryChanged(change)
    case .ping, .bind, .testCommand: break
    }
  }

  /// Handles a client that takes no more downloads of this session. After a grace period for its uploads it is told to reset.
  private mutating func downloadRefused(_ ident: SessionIdent, _ error: ClientErrorMessage) {
    guard sessions[ident]?.refusedDownload == false else { return }
    actions.append(
      .log(
        .warn, "\(ident): the client could not integrate a download: \(error.code): \(PeerText.brief(error.message))"))
    if !sessions.values.contains(where: \.refusedDownload) {
      actions.append(.startTimer(.refusedDownloads, after: settings.refusedDownloadGrace))
    }
    sessions[ident]?.refusedDownload = true
  }

  mutating func endRefusedDownloads() {
    for ident in sessions.keys.sorted() where sessions[ident]?.refusedDownload == true {
      fail(ident, SessionFailure(.badClientFile, "the client could not integrate a download"))
    }
  }

  private mutating func bound(_ message: BindMessage) {
    guard sessions[message.session] == nil else {
      return fail(ConnectionFailure(.reuseOfSessionIdent, "\(message.session) is in use"))
    }
    guard sessions.count < 2 * settings.maximumSessions else {
      return fail(ConnectionFailure(.otherError, "too many sessions in one connection"))
    }
    generation += 1
    let key = SessionKey(ident: message.session, generation: generation)
    let isFlexible = dialect.flavour == .flexible
    let flexible = isFlexible ? FlexibleBinding(path: message.path) : nil
    sessions[message.session] = ServerSession(
      key: key, path: isFlexible ? "" : message.path, needsFileIdent: message.needsFileIdent)
    if sessions.count > settings.maximumSessions {
      return refuseBind(
        message.session,
        SessionFailure(.otherSessionError, "too many sessions in one connection: close realms that are not needed"))
    }
    if isFlexible, flexible == nil {
      return refuseBind(message.session, SessionFailure(.illegalRealmPath, "the JSON of BIND cannot be read"))
    }
    let request = BindRequest(
      rawPath: message.path, token: message.token, needsFileIdent: message.needsFileIdent,
      flexible: flexible)
    actions.append(.openRealm(key, request))
  }

  /// Refuses a session before the owner hears of it.
  private mutating func refuseBind(_ ident: SessionIdent, _ failure: SessionFailure) {
    actions.append(.send(failure.message(for: ident, version: dialect.version)))
    sessions[ident]?.stage = .failed
  }

  private mutating func identified(_ message: ClientIdentMessage) {
    let ident = message.session
    guard let session = sessions[ident] else { return }
    if let fault = message.query.flatMap({ fault(of: $0) }) { return fail(ident, SessionFailure(.badQuery, fault)) }
    let isRealmOpen: Bool
    switch session.stage {
    case .bound: isRealmOpen = true
    case .opening(nil) where !session.needsFileIdent: isRealmOpen = false
    case .opening, .allocating, .verifying, .active, .failed:
      return fail(ConnectionFailure(.badMessageOrder, "IDENT of \(ident) is out of order"))
    }
    let file = BoundFile(path: session.path, file: message.file.ident)
    guard boundFiles[file] == nil else {
      return fail(ConnectionFailure(.boundInOtherSession, "file ident \(message.file.ident.rawValue) is bound already"))
    }
    boundFiles[file] = session.key
    let claim = ServerSession.Claim(ident: message)
    if isRealmOpen { verify(claim, of: session.key) } else { sessions[ident]?.stage = .opening(claim) }
  }

  mutating func verify(_ claim: ServerSession.Claim, of key: SessionKey) {
    sessions[key.ident]?.stage = .verifying(claim)
    actions.append(.findClientFile(key, claim.ident))
  }

  private mutating func uploaded(_ message: UploadMessage) {
    let ident = message.session
    switch sessions[ident]?.stage {
    case .active: integrate(message)
    case .opening(_?), .verifying:
      queue(bytes: message.weight, for: ident)
      sessions[ident]?.updateClaim { $0.messages.append(.upload(message)) }
    case .opening(nil), .allocating, .bound, .failed, nil:
      fail(ConnectionFailure(.badMessageOrder, "UPLOAD of \(ident) before IDENT"))
    }
  }

  mutating func integrate(_ message: UploadMessage) {
    let ident = message.session
    guard let session = sessions[ident], var active = session.active else { return }
    do {
      let batch = try active.uploads.accept(message, sent: active.cursor.server)
      let acknowledged = message.entries.isEmpty ? nil : batch.progress.client
      if active.queries?.holdsUploads ?? false {
        sessions[ident]?.stage = .active(active)
        return holdBehindQuery(batch, acknowledging: acknowledged, for: session.key)
      }
      let isHeld = message.entries.isEmpty && active.integrating.last == .some(nil)
      if isHeld { active.heldProgress = batch }
      sessions[ident]?.stage = .active(active)
      if isHeld { return }
      begin(batch, acknowledging: acknowledged, for: session.key)
    } catch {
      fail(ident, error)
    }
  }

  /// Starts the integration of a batch, which includes any held progress.
  mutating func begin(_ batch: UploadBatch, acknowledging version: ClientVersion?, for key: SessionKey) {
    queue(bytes: batch.weight, for: key.ident)
    guard isActive(key), let active = sessions[key.ident]?.active else { return }
    var batch = batch
    batch.queries = active.queries?.governing
    sessions[key.ident]?.updateActive { active in
      active.heldProgress = nil
      active.integrating.append(version)
    }
    actions.append(.integrate(key, batch))
  }

  /// Adds the weight of a waiting message to the backlog. Above the budget reading pauses; above the limit a session with a
  /// backlog of its own fails.
  mutating func queue(bytes: Int, for ident: SessionIdent) {
    let waited = sessions[ident]?.backlog ?? 0
    sessions[ident]?.backlog += bytes
    backlog += bytes
    if waited > 0, backlog > settings.uploadBacklogLimit {
      return fail(ident, SessionFailure(.sessionClosed, "the server is behind with integrating; come back later"))
    }
    if backlog > settings.uploadBacklog, !isPaused {
      isPaused = true
      actions.append(.pauseReading)
    }
  }

  private mutating func marked(_ message: MarkMessage) {
    switch sessions[message.session]?.stage {
    case .opening(_?), .verifying: sessions[message.session]?.updateClaim { $0.mark = message.request }
    case .active:
      sessions[message.session]?.updateActive { $0.mark = message.request }
      scanAgain(message.session)
    case .opening(nil), .allocating, .bound, .failed, nil:
      fail(ConnectionFailure(.badMessageOrder, "MARK of \(message.session) before IDENT"))
    }
  }

  private mutating func unbound(_ session: ServerSession) {
    actions.append(.sessionEnded(session.key))
    sessions[session.key.ident] = nil
    unbindFile(of: session)
    release(session)
    actions.append(.send(.unbound(UnboundMessage(session: session.key.ident))))
  }
}
