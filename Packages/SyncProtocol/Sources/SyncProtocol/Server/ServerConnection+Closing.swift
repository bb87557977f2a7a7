import ChangesetOT

/// The ends of sessions and of the connection, and the budgets that they release.
extension ServerConnection {
  /// Sends the error of the connection, and closes.
  mutating func fail(_ failure: ConnectionFailure) {
    actions.append(.log(.warn, "connection failed: \(failure)"))
    actions.append(.send(failure.serverMessage))
    close(.normal, "")
  }

  /// Closes the connection. After code 1000 stock clients reconnect silently; after every other code they report an error to
  /// the app in each session.
  mutating func close(_ code: CloseCode, _ reason: String) {
    endSessions()
    phase = .closing
    actions.append(.close(code, reason: reason))
    actions.append(.startTimer(.closing, after: settings.closeTimeout))
  }

  mutating func end() {
    endSessions()
    phase = .closed
  }

  private mutating func endSessions() {
    for ident in sessions.keys.sorted() {
      guard let session = sessions[ident], !session.hasFailed else { continue }
      actions.append(.sessionEnded(session.key))
    }
    sessions = [:]
    boundFiles = [:]
    backlog = 0
  }

  /// Sends the error of a session, and ends it. Its ident stays in use until UNBIND.
  mutating func fail(_ ident: SessionIdent, _ failure: SessionFailure) {
    guard let session = sessions[ident], !session.hasFailed else { return }
    if failure.code.leavesSessionActive {
      actions.append(.send(failure.message(for: ident, version: dialect.version)))
      return
    }
    actions.append(.log(.info, "\(ident) failed: \(failure)"))
    actions.append(.send(failure.message(for: ident, version: dialect.version)))
    actions.append(.sessionEnded(session.key))
    unbindFile(of: session)
    release(session)
    sessions[ident] = .failed(session)
  }

  func isCurrent(_ key: SessionKey) -> Bool { sessions[key.ident]?.key == key }
  func isActive(_ key: SessionKey) -> Bool { isCurrent(key) && sessions[key.ident]?.active != nil }

  mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  mutating func log(to session: SessionIdent, _ level: LogMessage.Level, _ text: String, correlation: String? = nil) {
    guard dialect.version.hasLogMessages else { return }
    let correlation = correlation.flatMap { $0.isEmpty ? nil : $0 }
    actions.append(
      .send(.log(LogMessage(session: session, level: level, message: text, correlation: correlation))))
  }

  /// Releases the client file of a session for another session.
  mutating func unbindFile(of session: ServerSession) {
    guard let file = session.file else { return }
    boundFiles[BoundFile(path: session.path, file: file)] = nil
  }

  /// Removes the uploads of a session from the backlog.
  mutating func release(_ session: ServerSession) { release(bytes: session.backlog) }

  /// Removes bytes from the backlog, and resumes reading at half of the budget.
  mutating func release(bytes: Int) {
    backlog = max(0, backlog - bytes)
    guard isPaused, backlog <= settings.uploadBacklog / 2 else { return }
    isPaused = false
    actions.append(.resumeReading)
  }
}
