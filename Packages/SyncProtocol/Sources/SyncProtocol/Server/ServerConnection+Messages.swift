import ChangesetOT

extension ServerConnection {
  mutating func received(_ message: ClientMessage) {
    switch message {
    case .ping(let ping):
      return actions.append(.send(.pong(PongMessage(timestamp: ping.timestamp))))
    case .bind(let bind):
      return bound(bind)
    case .testCommand:
      return fail(ConnectionFailure(.unknownMessage, "test_command is not served"))
    case .ident, .upload, .mark, .unbind, .jsonError, .query: break
    }
    guard let ident = message.session, let session = sessions[ident] else {
      return fail(ConnectionFailure(.badSessionIdent, "\(message.session ?? .connection) is not bound"))
    }
    if session.stage == .failed {
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

  /// The client takes no more downloads of this session, and would stay behind for ever. After a while in which it may
  /// upload what it has, it is told to reset.
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

  /// Refuses a session of which the owner never heard.
  private mutating func refuseBind(_ ident: SessionIdent, _ failure: SessionFailure) {
    actions.append(.send(failure.message(for: ident, version: dialect.version)))
    sessions[ident]?.stage = .failed
  }

  private mutating func identified(_ message: ClientIdentMessage) {
    let ident = message.session
    guard let session = sessions[ident] else { return }
    let isExpected =
      session.claim == nil && (session.stage == .bound || (session.stage == .opening && !session.needsFileIdent))
    guard isExpected else {
      return fail(ConnectionFailure(.badMessageOrder, "IDENT of \(ident) is out of order"))
    }
    let file = BoundFile(path: session.path, file: message.file.ident)
    guard boundFiles[file] == nil else {
      return fail(ConnectionFailure(.boundInOtherSession, "file ident \(message.file.ident.rawValue) is bound already"))
    }
    boundFiles[file] = session.key
    sessions[ident]?.claim = message
    if session.isRealmOpen { verify(ident) }
  }

  mutating func verify(_ ident: SessionIdent) {
    guard let session = sessions[ident], let claim = session.claim else { return }
    sessions[ident]?.stage = .verifying
    actions.append(.findClientFile(session.key, claim))
  }

  private mutating func uploaded(_ message: UploadMessage) {
    let ident = message.session
    guard let session = sessions[ident], session.hasIdent else {
      return fail(ConnectionFailure(.badMessageOrder, "UPLOAD of \(ident) before IDENT"))
    }
    if session.stage == .active { return integrate(message) }
    queue(bytes: message.weight, for: ident)
    guard sessions[ident]?.stage != .failed else { return }
    sessions[ident]?.early.append(message)
  }

  mutating func integrate(_ message: UploadMessage) {
    let ident = message.session
    guard let session = sessions[ident], var uploads = session.uploads else { return }
    do {
      let batch = try uploads.accept(message, sent: session.cursor.server)
      sessions[ident]?.uploads = uploads
      if message.entries.isEmpty, let last = session.integrating.last, last == nil {
        sessions[ident]?.heldProgress = batch
        return
      }
      begin(batch, acknowledging: message.entries.isEmpty ? nil : batch.progress.client, for: session.key)
    } catch {
      fail(ident, error)
    }
  }

  /// Has a batch integrated. A progress that is held for the end of another is in it.
  mutating func begin(_ batch: UploadBatch, acknowledging version: ClientVersion?, for key: SessionKey) {
    queue(bytes: batch.weight, for: key.ident)
    guard isActive(key) else { return }
    sessions[key.ident]?.heldProgress = nil
    sessions[key.ident]?.integrating.append(version)
    actions.append(.integrate(key, batch))
  }

  /// Counts the weight of an upload that waits, pauses reading above the budget, and sends a session away above the limit for
  /// which something waited before.
  private mutating func queue(bytes: Int, for ident: SessionIdent) {
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
    guard let session = sessions[message.session], session.hasIdent else {
      return fail(ConnectionFailure(.badMessageOrder, "MARK of \(message.session) before IDENT"))
    }
    sessions[message.session]?.mark = message.request
    sessions[message.session]?.needsScan = true
    pump(message.session)
  }

  private mutating func queryChanged(_ message: QueryChangeMessage) {
    guard let session = sessions[message.session], session.stage == .active else {
      return fail(ConnectionFailure(.badMessageOrder, "QUERY of \(message.session) before IDENT"))
    }
    actions.append(.changeQuery(session.key, message.query))
    sessions[message.session]?.needsScan = true
    pump(message.session)
  }

  private mutating func unbound(_ session: ServerSession) {
    actions.append(.sessionEnded(session.key))
    sessions[session.key.ident] = nil
    unbindFile(of: session)
    release(session)
    actions.append(.send(.unbound(UnboundMessage(session: session.key.ident))))
  }
}
