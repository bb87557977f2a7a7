import ChangesetOT

/// Errors of the server, for the connection and for single sessions.
extension ClientConnection {
  /// The details of a plain ERROR, whose action follows from its code.
  static func details(of error: PlainErrorMessage) -> ErrorDetails {
    let resets = [
      ProtocolErrorCode.badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories,
      .badClientFile, .clientFileExpired,
    ].contains(error.code)
    let action: ErrorAction = error.tryAgain ? .transient : resets ? .clientReset : .applicationBug
    return ErrorDetails(message: error.message, action: action, tryAgain: error.tryAgain)
  }

  mutating func connectionFailed(_ code: ProtocolErrorCode, _ details: ErrorDetails) {
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
    case .protocolViolation, .applicationBug, .warning, .transient, .deleteRealm, .migrateToFlexible, .revertToFull,
      .migrateSchema, .other:
      if details.tryAgain { lose(kind: .server, failure) } else { stop(failure) }
    }
  }

  mutating func sessionFailed(
    _ ident: SessionIdent, _ session: ClientSession, _ code: ProtocolErrorCode, _ details: ErrorDetails
  ) {
    guard code.level == .session, case .bound(let exchange, let closing) = session.stage else {
      return violated("error \(code) out of order")
    }
    switch closing {
    case .none: break
    case .unbindSent: return remove(ident)
    case .errorReceived, .over: return violated("error \(code) out of order")
    }
    var failure = SyncFailure(
      origin: .server, code: code, message: details.message, action: details.action,
      compensation: details.compensation, integrated: details.integratedClientVersion,
      untold: details.untold)
    if code == .compensatingWrite {
      // The server tells it again on each connection, until the version is here.
      let isKnown = sessions[ident]?.compensations.contains { $0.compensation == failure.compensation } ?? false
      if !isKnown { sessions[ident]?.compensations.append(failure) }
      return reportCompensations(ident)
    }
    if code == .schemaVersionChanged { return actions.append(.report(ident, failure)) }
    update(ident) { session in
      session.stage = .bound(exchange, .errorReceived(bindsAgain: false))
      session.downloads.clear()
      session.uploads.preparation = .idle
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
    // The session goes on with a new BIND: the server has ended it.
    case .warning:
      actions.append(.report(ident, failure))
      suspend(ident, code, details)
    case .protocolViolation, .applicationBug, .transient, .migrateSchema, .other:
      failure.isFatal = !details.tryAgain
      actions.append(.report(ident, failure))
      if details.tryAgain {
        suspend(ident, code, details)
      } else {
        sessions[ident]?.availability = .failed
        setState(ident, .failed)
      }
    }
    enqueue(ident)
  }

  /// Suspends the session: for a fixed second after 200, else with back-off as the server advises.
  private mutating func suspend(_ ident: SessionIdent, _ code: ProtocolErrorCode, _ details: ErrorDetails) {
    guard var session = sessions[ident] else { return }
    if let advice = details.backoff { session.backoff.policy = BackoffPolicy(advice) }
    let delay =
      code == .sessionClosed && details.backoff == nil
      ? timing.sessionClosedRest : session.backoff.next(after: .session, using: &random)
    session.availability = .suspended
    sessions[ident] = session
    setState(ident, .suspended)
    actions.append(.startTimer(.resume(ident), after: delay))
  }

  /// Leaves the session to its owner, who performs the action and deactivates it.
  mutating func awaitOwner(_ ident: SessionIdent, _ action: Action) {
    sessions[ident]?.availability = .awaitingOwner
    setState(ident, .failed)
    actions.append(action)
  }
}
