import ChangesetOT

extension ServerConnection {
  /// The actions when the connection opens: a greeting, and the idle timer.
  public mutating func start() -> [Action] {
    log(to: .connection, .info, "Client connection established with server", correlation: correlation)
    startIdleTimer()
    return takeActions()
  }

  /// Handles an event and returns the actions that follow, in their order.
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

  /// Handles the bytes of a message. Bytes that are no message are answered with an error: an UPLOAD that is too large or out
  /// of order ends its session, all others the connection.
  ///
  /// - Complexity: O(bytes of the message and its inflated body), up to the first fault.
  public mutating func receive(_ bytes: [UInt8]) -> [Action] {
    guard phase == .open else { return [] }
    return handle(Self.event(of: bytes, dialect: dialect, limits: settings.limits))
  }

  /// Decodes the bytes of a message into an event, for owners that decode large messages on another thread.
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

  /// Handles the beginning of a message above the size limit, whose rest the owner skipped.
  ///
  /// An UPLOAD ends its session with an error for the application; other sessions go on. Close code 1009 would make stock
  /// clients reset every realm of the connection.
  ///
  /// - Parameters:
  ///   - head: the first bytes, at least ``MessageLimits/headBytes`` of them.
  ///   - byteCount: how many bytes the message has.
  public mutating func receive(oversized head: [UInt8], byteCount: Int) -> [Action] {
    handle(.receivedOversized(head: head, byteCount: byteCount))
  }

  /// The failure of the session whose message is above the size limit, for owners that pass messages on; nil when the whole
  /// connection has to fail.
  ///
  /// - Parameters:
  ///   - head: the first bytes of the message.
  ///   - byteCount: how many bytes it has.
  public func failure(ofOversized head: [UInt8], byteCount: Int) -> SessionFailure? {
    MessageDecoder(dialect: dialect, limits: settings.limits).oversized(head, byteCount: byteCount).sessionFailure
  }

  /// Whether a client has bound this ident, and has not unbound it. An ident in use cannot be bound again.
  public func isInUse(_ session: SessionIdent) -> Bool { sessions[session] != nil }

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
      for ident in sessions.keys.sorted() { startScan(ident) }
    case .timerEnded(.idle): idleTimerEnded()
    case .timerEnded(.closing): break
    case .timerEnded(.refusedDownloads): endRefusedDownloads()
    case .realmOpened(let key): realmOpened(key)
    case .fileIdentAllocated(let key, let file): fileIdentAllocated(key, file)
    case .clientFileFound(let key, let record, let history, let untold):
      clientFileFound(key, record, history, untold)
    case .historyScanned(let key, let scan): historyScanned(key, scan)
    case .historyAdvanced(let key):
      guard isActive(key) else { return }
      scanAgain(key.ident)
    case .uploadIntegrated(let key, let bytes): uploadIntegrated(key, bytes: bytes)
    case .sessionFailed(let key, let failure):
      guard isCurrent(key) else { return }
      fail(key.ident, failure)
    case .sessionWarned(let key, let failure):
      guard isActive(key), failure.code.leavesSessionActive, dialect.version.hasCompensatingWrites else { return }
      actions.append(.send(failure.message(for: key.ident, version: dialect.version)))
    case .queryRefused(let key, let query, let message): queryRefused(key, query, message)
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

  private mutating func startIdleTimer() {
    if let timeout = settings.idleTimeout { actions.append(.startTimer(.idle, after: timeout)) }
  }

  private mutating func idleTimerEnded() {
    guard heardSinceIdleCheck else { return close(.normal, "nothing was heard for long") }
    heardSinceIdleCheck = false
    startIdleTimer()
  }
}
