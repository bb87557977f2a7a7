import ChangesetOT

/// What the server says. Whatever is not legal at its point closes the connection.
extension ClientConnection {
  mutating func received(_ message: ServerMessage) {
    guard case .open = socket else { return }
    switch message {
    case .pong(let pong): return ponged(pong)
    case .log(let line): return actions.append(.log(line))
    case .error(let error) where error.session == .connection:
      return connectionFailed(
        error.code,
        ErrorDetails(
          message: error.message, action: error.tryAgain ? .transient : .applicationBug,
          tryAgain: error.tryAgain))
    case .jsonError(let error) where error.session == .connection:
      return connectionFailed(error.code, error.details)
    default: break
    }
    guard let ident = message.session, ident <= highestIdent else {
      return violated("message for a session that never was")
    }
    guard let session = sessions[ident] else { return }
    switch message {
    case .ident(let answer): identReceived(ident, session, answer)
    case .download(let download): downloadReceived(ident, session, download)
    case .mark(let mark): markReceived(ident, session, mark)
    case .unbound:
      guard session.unbindSent, !session.errorReceived else { return violated("UNBOUND without UNBIND") }
      remove(ident)
    case .error(let error): sessionFailed(ident, session, error.code, Self.details(of: error))
    case .jsonError(let error): sessionFailed(ident, session, error.code, error.details)
    case .queryError(let error):
      guard session.stage == .active else { return violated("QUERY_ERROR before IDENT") }
      sessions[ident]?.pendingQueries.removeAll { $0.query.version == error.query }
      actions.append(.queryRefused(ident, error.query, message: error.message))
    case .testCommand: break
    case .pong, .log: break
    }
  }

  private mutating func identReceived(
    _ ident: SessionIdent, _ session: ClientSession, _ message: ServerIdentMessage
  ) {
    if session.unbindSent { return }
    guard session.stage == .awaitingIdent, !session.errorReceived else { return violated("IDENT out of order") }
    guard message.file.ident >= .server, message.file.salt != 0 else { return violated("IDENT without an ident") }
    update(ident) { session in
      session.stage = .storingIdent
      session.storing = message.file
    }
    actions.append(.storeFileIdent(ident, message.file))
  }

  private mutating func downloadReceived(
    _ ident: SessionIdent, _ session: ClientSession, _ message: DownloadMessage
  ) {
    guard session.stage == .active, !session.errorReceived else { return violated("DOWNLOAD out of order") }
    if session.unbindSent || session.isDeactivating || session.isBroken { return }
    if DownloadVerification.isOfAnEarlierState(message, since: session.received) { return wentBack(ident, message) }
    if let violation = DownloadVerification.violation(
      in: message, since: session.received, newest: session.newest, file: session.file.ident, flavour: flavour)
    {
      return violated("DOWNLOAD: \(violation)")
    }
    backoff.reset()
    askedSinceProgress = 0
    let now = now
    update(ident) { session in
      session.received = message.progress
      session.coalescing.acknowledged(through: message.progress.upload.client, at: now)
      session.arrived(.download(message))
    }
    pumpUpload(ident)
    pumpIntegration(ident)
  }

  /// The server lost what it had acknowledged: the file keeps it and brings it back by a reset.
  private mutating func wentBack(_ ident: SessionIdent, _ message: DownloadMessage) {
    update(ident) { session in
      session.dropArrivals()
      session.upload = nil
      session.scan = nil
      session.isBroken = true
    }
    let failure = SyncFailure(
      origin: .server, code: .badClientVersion,
      message: "the server has this file's changes only up to \(message.progress.upload.client.rawValue)",
      action: .clientReset, isFatal: true, integrated: message.progress.upload.client)
    awaitOwner(ident, .resetClient(ident, failure))
    enqueue(ident)
  }

  private mutating func markReceived(_ ident: SessionIdent, _ session: ClientSession, _ message: MarkMessage) {
    guard session.stage == .active, !session.errorReceived, message.request <= session.markSent,
      message.request > session.markReceived
    else { return violated("MARK out of order") }
    if session.unbindSent || session.isDeactivating || session.isBroken { return }
    update(ident) { session in
      session.markReceived = message.request
      session.arrived(.mark(message.request))
    }
    pumpIntegration(ident)
  }

  // MARK: Errors

  /// A plain ERROR says nothing about what to do; the code does.
  private static func details(of error: PlainErrorMessage) -> ErrorDetails {
    let resets = [
      ProtocolErrorCode.badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories,
      .badClientFile, .clientFileExpired,
    ].contains(error.code)
    let action: ErrorAction = error.tryAgain ? .transient : resets ? .clientReset : .applicationBug
    return ErrorDetails(message: error.message, action: action, tryAgain: error.tryAgain)
  }

  private mutating func connectionFailed(_ code: ProtocolErrorCode, _ details: ErrorDetails) {
    guard code.level == .connection, code.isKnown else { return violated("connection error \(code)") }
    var failure = SyncFailure(
      origin: .server, code: code, message: details.message, action: details.action, isFatal: !details.tryAgain)
    if let advice = details.backoff { backoff.policy = BackoffPolicy(advice) }
    switch details.action {
    case .refreshUser: lose(kind: .server, failure, then: .refreshToken)
    case .refreshLocation: lose(kind: .server, failure, then: .refreshLocation)
    case .logOutUser:
      stop(failure)
      actions.append(.logOut)
    case .clientReset, .clientResetNoRecovery:
      failure.isFatal = true
      stop(failure, reporting: false)
      for ident in sessions.keys.sorted() { awaitOwner(ident, .resetClient(ident, failure)) }
    default:
      if details.tryAgain { lose(kind: .server, failure) } else { stop(failure) }
    }
  }

  private mutating func sessionFailed(
    _ ident: SessionIdent, _ session: ClientSession, _ code: ProtocolErrorCode, _ details: ErrorDetails
  ) {
    guard session.isBound, !session.errorReceived, code.level == .session else {
      return violated("error \(code) out of order")
    }
    if session.isDeactivating, session.unbindSent { return remove(ident) }
    var failure = SyncFailure(
      origin: .server, code: code, message: details.message, action: details.action,
      compensation: details.compensation, integrated: details.integratedClientVersion)
    if code == .compensatingWrite {
      sessions[ident]?.compensations.append(failure)
      return reportCompensations(ident)
    }
    if code == .schemaVersionChanged { return actions.append(.report(ident, failure)) }
    update(ident) { session in
      session.errorReceived = true
      session.dropArrivals()
      session.upload = nil
      session.scan = nil
      session.clientError = nil
    }
    switch details.action {
    case .clientReset, .clientResetNoRecovery:
      failure.isFatal = true
      awaitOwner(ident, .resetClient(ident, failure))
    case .deleteRealm:
      failure.isFatal = true
      actions.append(.report(ident, failure))
      awaitOwner(ident, .deleteRealm(ident))
    case .migrateToFlexible, .revertToFull:
      failure.isFatal = true
      awaitOwner(ident, .report(ident, failure))
    case .refreshUser, .refreshLocation:
      suspend(ident, code, details)
      actions.append(details.action == .refreshUser ? .refreshAccessToken : .refreshLocation)
    case .logOutUser:
      failure.isFatal = true
      actions.append(.report(ident, failure))
      awaitOwner(ident, .logOut)
    case .transient where details.tryAgain: suspend(ident, code, details)
    // The session goes on: with a new BIND, as the server has let go of it.
    case .warning:
      actions.append(.report(ident, failure))
      suspend(ident, code, details)
    default:
      failure.isFatal = !details.tryAgain
      actions.append(.report(ident, failure))
      if details.tryAgain {
        suspend(ident, code, details)
      } else {
        sessions[ident]?.rest = .failed
        setState(ident, .failed)
      }
    }
    enqueue(ident)
  }

  /// Rests and comes back: after a fixed second for 200, else with back-off as the server advises.
  private mutating func suspend(_ ident: SessionIdent, _ code: ProtocolErrorCode, _ details: ErrorDetails) {
    guard var session = sessions[ident] else { return }
    if let advice = details.backoff { session.backoff.policy = BackoffPolicy(advice) }
    let delay =
      code == .sessionClosed && details.backoff == nil
      ? timing.sessionClosedRest : session.backoff.next(after: .session, using: &random)
    session.rest = .suspended
    sessions[ident] = session
    setState(ident, .suspended)
    actions.append(.startTimer(.resume(ident), after: delay))
  }

  /// The owner must act; it will deactivate the session.
  mutating func awaitOwner(_ ident: SessionIdent, _ action: Action) {
    sessions[ident]?.rest = .awaitingOwner
    setState(ident, .failed)
    actions.append(action)
  }
}
