import ChangesetOT
import Concurrency
import SyncProtocol
import Telemetry

/// Performs the actions that the machine of the connection asks of one session, on the loop.
extension SyncSession {
  func perform(_ action: ClientConnection.Action, on connection: SharedConnection) {
    guard self.connection === connection else { return }
    switch action {
    case .storeFileIdent(let ident, let salted):
      let file = file
      ask(connection, ident, "store the file ident") {
        .fileIdentStored(ident, newest: try file.storeFileIdent(salted))
      }
    case .scanHistory(let ident, let request):
      let file = file
      let queried = isQueried ? file as? any QueriedFile : nil
      ask(connection, ident, "read the history", announcing: { try queried?.queries() }) {
        .historyScanned(ident, request.work, try file.scan(request))
      }
    case .integrate(let ident, let work, let message, let reports):
      integrate(connection, ident, work, message, reports)
    case .progressed(_, let progress): progressed(progress)
    case .uploadsCompleted(_, let wait), .downloadsCompleted(_, let wait):
      // The status agrees with the file before the wait ends: applications read it next.
      recount { session in session.waits.remove(wait)?.completion(.success(())) }
    // A download does not fit the file: client and server have diverged, as when the server says so.
    case .report(_, let failure) where failure.origin == .file && failure.code == .badChangeset: askForReset(failure)
    case .report(_, let failure): give(failure)
    case .resetClient(_, let failure): askForReset(failure)
    case .deleteRealm: logger.warn("the server asks to delete the local file; it is kept")
    case .sessionChanged(_, let state):
      logger.debug("\(state)")
      if case .active = state { change { $0.lastError = nil } }
      // The server begins a bootstrap anew after each BIND.
      if case .binding = state, isQueried { noteQuery("drop a bootstrap") { try $0.discardBootstrap() } }
    case .queryCompleted(_, let version): noteQuery("store a subscription set") { try $0.complete(version) }
    case .queryRefused(_, let version, let message):
      logger.warn("the server refuses subscription set \(version.rawValue): \(message)")
      noteQuery("store a subscription set") { try $0.refuse(version, message: message) }
    case .openSocket, .closeSocket, .send, .startTimer, .stopTimer, .connectionChanged, .deactivated,
      .log, .refreshAccessToken, .refreshLocation, .logOut:
      break
    }
  }

  private func askForReset(_ failure: SyncFailure) { feedReset { $0.asked(failure) } }

  /// Does work in the file's queue and feeds the answer to the machine, unless the session has left the connection by
  /// then.
  ///
  /// - Parameters:
  ///   - bytes: the size of what the work integrates.
  ///   - queries: reads the sets of the file after the work. The machine is told of them before the answer: a set that was
  ///     stored before a change goes out before it.
  private func ask(
    _ connection: SharedConnection, _ ident: SessionIdent, _ task: String, downloading bytes: Int = 0,
    announcing queries: @escaping @Sendable () throws -> FileQueries? = { nil },
    _ body: @escaping @Sendable () throws -> ClientConnection.Event
  ) {
    work {
      let event = try body()
      return (event, try queries())
    } then: { session, result in
      guard let member = session.membership, member.ident == ident, member.connection === connection else { return }
      switch result {
      case .success((let event, let queries)):
        session.announce(queries)
        if bytes > 0 { session.shared.withLock { $0.status.transfer.downloaded += bytes } }
        if case .historyScanned(_, _, let scan) = event { session.noteSent(scan.entries) }
        connection.handle(event)
      case .failure(let error):
        session.logger.error("cannot \(task): \(error)")
        connection.handle(.workFailed(ident, session.file.code(for: error), message: "cannot \(task): \(error)"))
      }
    }
  }

  private func integrate(
    _ connection: SharedConnection, _ ident: SessionIdent, _ work: WorkIdent, _ message: DownloadMessage,
    _ reports: [SyncFailure]
  ) {
    let file = file
    let bytes = message.entries.reduce(0) { $0 + $1.changeset.count }
    ask(connection, ident, "integrate what the server sent", downloading: bytes) {
      let done = try file.integrate(message, reports: reports)
      return .integrated(ident, work, progress: done.progress, newest: done.newest)
    }
  }

  private func noteSent(_ entries: [UploadEntry]) {
    sentChangesets.sent(entries)
    shared.withLock { $0.status.transfer.unacknowledged = sentChangesets.bytes }
  }

  private func progressed(_ progress: TransferProgress) {
    reset.progressed()
    let done = sentChangesets.acknowledged(through: progress.progress.upload.client)
    change { status in
      status.transfer.uploaded += done
      status.transfer.unacknowledged = sentChangesets.bytes
      status.pendingUploadBytes = max(0, status.pendingUploadBytes - done)
      let remaining = downloadEstimate.bytes(progress.remaining, downloaded: status.transfer.downloaded)
      status.remainingDownloadBytes = remaining
      status.isCaughtUp = remaining == 0
      status.isDownloadKnown = true
    }
    // The commit of the integration is heard first. When everything is acknowledged then, the status says so at once.
    scheduler.execute { [self] in
      if sentChangesets.isEmpty, shared.withLock({ $0.commits.unseen == nil }) { recount() } else { recountSoon() }
    }
  }
}
