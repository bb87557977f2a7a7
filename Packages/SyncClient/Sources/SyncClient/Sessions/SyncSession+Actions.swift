import ChangesetOT
import SyncProtocol
import Telemetry

/// What the machine asks of a session.
extension SyncSession {
  func perform(_ action: ClientConnection.Action, on connection: SharedConnection) {
    guard self.connection === connection else { return }
    switch action {
    case .storeFileIdent(let ident, let file):
      let store = self.file
      ask(connection, ident, "store the file ident") { .fileIdentStored(ident, newest: try store.storeFileIdent(file)) }
    case .scanHistory(let ident, let request):
      let file = self.file
      ask(connection, ident, "read the history") {
        .historyScanned(ident, request.work, try file.scan(request))
      }
    case .integrate(let ident, let work, let message): integrate(connection, ident, work, message)
    case .progressed(_, let progress): progressed(progress)
    case .uploadsCompleted(_, let wait), .downloadsCompleted(_, let wait):
      // Who waited reads the status next: it must know what the file knows.
      recount { session in session.waits.removeValue(forKey: wait)?.completion(.success(())) }
    // What the server sent does not fit what this device has: the two have parted, as when the server says so.
    case .report(_, let failure) where failure.origin == .file && failure.code == .badChangeset: resetAsked(failure)
    case .report(_, let failure): failed(failure)
    case .resetClient(_, let failure): resetAsked(failure)
    case .deleteRealm: logger.warn("the server asks to delete the local file; it is kept")
    case .sessionChanged(_, let state):
      logger.debug("\(state)")
      if case .active = state { change { $0.lastError = nil } }
    case .queryRefused, .openSocket, .closeSocket, .send, .startTimer, .stopTimer, .connectionChanged, .deactivated,
      .log,
      .refreshAccessToken, .refreshLocation, .logOut:
      break
    }
  }

  /// Does work in the file's queue and feeds the answer to the machine.
  private func ask(
    _ connection: SharedConnection, _ ident: SessionIdent, _ what: String,
    _ body: @escaping @Sendable () throws -> ClientConnection.Event
  ) {
    work {
      Result { try body() }
    } then: { session, result in
      guard session.ident == ident, session.connection === connection else { return }
      switch result {
      case .success(let event):
        if case .historyScanned(_, _, let scan) = event { session.noteSent(scan.entries) }
        connection.handle(event)
      case .failure(let error):
        session.logger.error("cannot \(what): \(error)")
        connection.handle(
          .workFailed(ident, session.file.code(for: error), message: "cannot \(what): \(error)"))
      }
    }
  }

  private func integrate(
    _ connection: SharedConnection, _ ident: SessionIdent, _ work: WorkIdent, _ message: DownloadMessage
  ) {
    let file = self.file
    let bytes = message.entries.reduce(0) { $0 + $1.changeset.count }
    ask(connection, ident, "integrate what the server sent") {
      .integrated(ident, work, progress: message.progress, newest: try file.integrate(message))
    }
    shared.withLock { $0.status.transfer.downloaded += bytes }
  }

  /// Remembers the sizes of what is about to be sent, for the transfer counts.
  private func noteSent(_ entries: [UploadEntry]) {
    let known = sentSizes.last?.version ?? .zero
    for entry in entries where entry.cursor.client > known {
      sentSizes.append((entry.cursor.client, entry.changeset.count))
    }
    shared.withLock { $0.status.transfer.unacknowledged = sentSizes.reduce(0) { $0 + $1.bytes } }
  }

  private func progressed(_ progress: TransferProgress) {
    resetMemory.attempts = 0
    let acknowledged = progress.progress.upload.client
    let done = sentSizes.prefix { $0.version <= acknowledged }
    sentSizes.removeFirst(done.count)
    change { status in
      status.transfer.uploaded += done.reduce(0) { $0 + $1.bytes }
      status.transfer.unacknowledged = sentSizes.reduce(0) { $0 + $1.bytes }
      if case .bytes(let bytes) = progress.remaining {
        status.remainingDownloadBytes = Int(clamping: bytes)
        status.isCaughtUp = bytes == 0
      }
    }
    // What the integration committed is heard of first. If everything is acknowledged then, that is said at once.
    scheduler.execute { [self] in
      if sentSizes.isEmpty, shared.withLock({ $0.unheard == nil }) { recount() } else { recountSoon() }
    }
  }

  /// Something went wrong: into the status, and to the handlers unless it mends itself.
  func failed(_ failure: SyncFailure) { failed(failure, SyncError(failure)) }

  func failed(_ failure: SyncFailure, _ error: SyncError) {
    // A certificate does not mend itself, though it may be mended: said once, not at every attempt.
    let isInsecure = failure.origin == .closed(.tlsFailed) && status.lastError?.code != error.code
    change { status in
      status.lastError = error
      if failure.isFatal { status.state = .invalid }
    }
    // What ends a session of a reset is an answer for the reset, which says itself what goes wrong.
    if failure.isFatal, !isForReset { logger.error("\(error)") } else { logger.detail("\(error)") }
    let isUnreachable = failure.origin == .network || failure.origin == .closed(.tlsFailed)
    if failure.isFatal || (givesUpEarly && isUnreachable) {
      failWaits(error)
    } else if isUnreachable || status.connection != .connected {
      failEagerWaits(error)
    }
    let isSilent = !failure.isFatal && !isInsecure && (failure.origin == .network || failure.action == .transient)
    guard !isSilent else { return }
    let handlers = shared.withLock { $0.errorHandlers }
    for handler in handlers { handler(error, self) }
  }

  /// Ends the waits that want an answer rather than a connection.
  private func failEagerWaits(_ error: SyncError) {
    let eager = waits.filter { $0.value.isEager }
    for (number, wait) in eager {
      waits[number] = nil
      wait.completion(.failure(error))
    }
  }

  func failWaits(_ error: SyncError) {
    let failed = waits.values
    waits = [:]
    for wait in failed { wait.completion(.failure(error)) }
  }
}
