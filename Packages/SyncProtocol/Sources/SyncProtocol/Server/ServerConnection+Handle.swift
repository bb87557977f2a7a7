import ChangesetOT

extension ServerConnection {
  /// What to do when the connection opens: greet, and watch for silence.
  public mutating func start() -> [Action] {
    log(to: .connection, .info, "Client connection established with server", correlation: correlation)
    actions.append(.startTimer(.idle, after: settings.idleTimeout))
    return takeActions()
  }

  /// Takes an event and answers what to do, in order.
  ///
  /// - Complexity: O(1), and O(*n*) in the entries of an UPLOAD; O(sessions) when the connection ends.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (phase, event) {
    case (.closed, _): return []
    case (_, .disconnected): end()
    case (.closing, .timerEnded(.closing)): end()
    case (.closing, _): break
    case (.open, _): handleOpen(event)
    }
    return takeActions()
  }

  /// Takes the bytes of a message; what cannot be read is answered with an error: an UPLOAD that is too large or out of order
  /// ends its session, everything else the connection.
  public mutating func receive(_ bytes: [UInt8]) -> [Action] {
    guard phase == .open else { return [] }
    return handle(Self.event(of: bytes, dialect: dialect, limits: settings.limits))
  }

  /// The event that the bytes of a message are. Pure, for owners that decode large messages elsewhere.
  ///
  /// - Complexity: O(bytes of the message and its inflated body), up to the first fault.
  public static func event(of bytes: [UInt8], dialect: Dialect, limits: MessageLimits) -> Event {
    guard bytes.count <= limits.messageBytes else {
      return .receivedOversized(head: Array(bytes.prefix(limits.headBytes)), byteCount: bytes.count)
    }
    do {
      return .received(try MessageDecoder(dialect: dialect, limits: limits).clientMessage(bytes))
    } catch {
      return .malformed(error)
    }
  }

  /// Takes the beginning of a message that is larger than allowed, and whose rest was skipped.
  ///
  /// Only an UPLOAD has a reason to be so large: its session ends with an error that the application hears, and the other
  /// sessions go on. Closing the connection would throw each of its realms into a reset: stock clients take 1009 for that.
  ///
  /// - Parameters:
  ///   - head: the first bytes, at least ``MessageLimits/headBytes`` of them.
  ///   - byteCount: how many bytes the message has.
  public mutating func receive(oversized head: [UInt8], byteCount: Int) -> [Action] {
    handle(.receivedOversized(head: head, byteCount: byteCount))
  }

  private mutating func handleOpen(_ event: Event) {
    switch event {
    case .received(let message):
      heardSinceIdleCheck = true
      received(message)
    case .malformed(let error): malformed(error)
    case .receivedOversized(let head, let count): oversized(head, count)
    case .receivedText: fail(ConnectionFailure(.badSyntax, "text messages are not part of the protocol"))
    case .disconnected: end()
    case .congested: isCongested = true
    case .drained:
      isCongested = false
      for ident in sessions.keys.sorted() { pump(ident) }
    case .timerEnded(.idle): idleTimerEnded()
    case .timerEnded(.closing): break
    case .timerEnded(.refusedDownloads): endRefusedDownloads()
    case .realmOpened(let key): realmOpened(key)
    case .fileIdentAllocated(let key, let file): fileIdentAllocated(key, file)
    case .clientFileFound(let key, let record, let history): clientFileFound(key, record, history)
    case .historyScanned(let key, let scan): historyScanned(key, scan)
    case .historyAdvanced(let key):
      guard isActive(key) else { return }
      sessions[key.ident]?.needsScan = true
      pump(key.ident)
    case .uploadIntegrated(let key, let bytes): uploadIntegrated(key, bytes: bytes)
    case .sessionFailed(let key, let failure):
      guard isCurrent(key) else { return }
      fail(key.ident, failure)
    case .sessionWarned(let key, let failure):
      guard isActive(key), failure.code.leavesSessionActive, dialect.version.hasCompensatingWrites else { return }
      actions.append(.send(failure.message(for: key.ident, version: dialect.version)))
    case .queryRefused(let key, let query, let message):
      guard isActive(key), dialect.flavour == .flexible else { return }
      actions.append(
        .send(.queryError(QueryErrorMessage(code: .badQuery, session: key.ident, query: query, message: message))))
    case .displaced(let key):
      guard isCurrent(key) else { return }
      close(.normal, "the client file is bound on a newer connection")
    case .tokenExpired: close(.unauthorized, "the access token expired")
    case .userRefused: close(.forbidden, "the user may not connect")
    case .shutDown: close(.normal, "the server is shutting down")
    }
  }

  private mutating func malformed(_ error: MessageDecodingError) {
    heardSinceIdleCheck = true
    guard let ident = error.session, let failure = error.sessionFailure else { return fail(error.failure) }
    guard sessions[ident] != nil else {
      return fail(ConnectionFailure(.badSessionIdent, "\(ident) is not bound"))
    }
    fail(ident, failure)
  }

  private mutating func oversized(_ head: [UInt8], _ byteCount: Int) {
    let limit = settings.limits.messageBytes
    let error = MessageDecoder(dialect: dialect, limits: settings.limits).oversized(head, byteCount: byteCount)
    actions.append(.log(.warn, "a message of \(byteCount) bytes was skipped: the limit is \(limit)"))
    malformed(error)
  }

  private mutating func idleTimerEnded() {
    guard heardSinceIdleCheck else { return close(.normal, "nothing was heard for long") }
    heardSinceIdleCheck = false
    actions.append(.startTimer(.idle, after: settings.idleTimeout))
  }

  // MARK: Endings

  /// Tells the client why, and closes.
  mutating func fail(_ failure: ConnectionFailure) {
    actions.append(.log(.warn, "connection failed: \(failure)"))
    actions.append(.send(failure.serverMessage))
    close(.normal, "")
  }

  /// Closes the connection. Code 1000 is the one that stock clients take as the end of a connection and no more: after every
  /// other they tell the app of an error in each session.
  mutating func close(_ code: CloseCode, _ reason: String) {
    endSessions()
    phase = .closing
    actions.append(.close(code, reason: reason))
    actions.append(.startTimer(.closing, after: settings.closeTimeout))
  }

  private mutating func end() {
    endSessions()
    phase = .closed
  }

  private mutating func endSessions() {
    for ident in sessions.keys.sorted() {
      guard let session = sessions[ident], session.stage != .failed else { continue }
      actions.append(.sessionEnded(session.key))
    }
    sessions = [:]
    boundFiles = [:]
    backlog = 0
  }

  /// Tells the client why, and forgets all of the session but its ident, which stays taken until UNBIND.
  mutating func fail(_ ident: SessionIdent, _ failure: SessionFailure) {
    guard let session = sessions[ident], session.stage != .failed else { return }
    if failure.code.leavesSessionActive {
      actions.append(.send(failure.message(for: ident, version: dialect.version)))
      return
    }
    actions.append(.log(.info, "\(ident) failed: \(failure)"))
    actions.append(.send(failure.message(for: ident, version: dialect.version)))
    actions.append(.sessionEnded(session.key))
    unbindFile(of: session)
    release(session)
    var failed = ServerSession(key: session.key, path: session.path, needsFileIdent: session.needsFileIdent)
    failed.stage = .failed
    sessions[ident] = failed
  }

  // MARK: Small things

  func isCurrent(_ key: SessionKey) -> Bool { sessions[key.ident]?.key == key }
  func isActive(_ key: SessionKey) -> Bool { isCurrent(key) && sessions[key.ident]?.stage == .active }

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

  /// Another session may bind the client file of a session that ends.
  mutating func unbindFile(of session: ServerSession) {
    guard let claim = session.claim else { return }
    boundFiles[BoundFile(path: session.path, file: claim.file.ident)] = nil
  }

  /// The uploads of a session wait no longer.
  mutating func release(_ session: ServerSession) { release(bytes: session.backlog) }

  mutating func release(bytes: Int) {
    backlog = max(0, backlog - bytes)
    guard isPaused, backlog <= settings.uploadBacklog / 2 else { return }
    isPaused = false
    actions.append(.resumeReading)
  }
}
