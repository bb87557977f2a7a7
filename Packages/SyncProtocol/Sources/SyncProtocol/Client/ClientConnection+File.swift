import ChangesetOT

/// What the file answers.
extension ClientConnection {
  mutating func fileIdentStored(_ ident: SessionIdent, _ newest: ClientVersion) {
    guard let session = sessions[ident], let file = session.storing else { return }
    update(ident) { session in
      session.storing = nil
      session.file = file
      session.newest = max(session.newest, newest)
      if session.stage == .storingIdent { session.stage = .bound }
    }
    enqueue(ident)
  }

  mutating func historyScanned(_ ident: SessionIdent, _ work: WorkIdent, _ scan: UploadScan) {
    guard let session = sessions[ident], session.scan == work else { return }
    sessions[ident]?.scan = nil
    guard scan.progress.client > session.scanned.client else {
      if session.scanned == session.scanFrom { sessions[ident]?.emptyUpTo = session.newest }
      completeUploadWaits(ident)
      return pumpUpload(ident)
    }
    sessions[ident]?.scanned = scan.progress
    // The scan may have met commits that nobody told of yet.
    sessions[ident]?.newest = max(session.newest, scan.progress.client)
    // An acknowledgement may have overtaken the scan.
    let entries = scan.entries.filter { $0.cursor.client > session.scanned.client }
    sessions[ident]?.upload = UploadMessage(
      session: ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion, entries: entries)
    enqueue(ident)
    completeUploadWaits(ident)
  }

  mutating func integrated(
    _ ident: SessionIdent, _ work: WorkIdent, _ progress: SyncProgress, _ newest: ClientVersion
  ) {
    guard let session = sessions[ident], session.integration == work else { return }
    let now = now
    update(ident) { session in
      session.integration = nil
      session.throttle.integrationEnded(at: now)
      session.progress = progress
      session.newest = max(session.newest, newest)
      if session.stage != .active { session.received = progress }
      // What is acknowledged need not be scanned, even if it was sent on another connection.
      if session.stage == .active, progress.upload.client > session.scanned.client { session.scanned = progress.upload }
      session.backoff.reset()
    }
    actions.append(
      .progressed(
        ident,
        TransferProgress(
          progress: progress, newest: sessions[ident]?.newest ?? newest, remaining: session.remaining)))
    reportCompensations(ident)
    completeUploadWaits(ident)
    pumpIntegration(ident)
    pumpUpload(ident)
    enqueue(ident)
  }

  mutating func workFailed(_ ident: SessionIdent, _ code: ProtocolErrorCode, _ message: String) {
    guard let session = sessions[ident], !session.isBroken else { return }
    update(ident) { session in
      session.integration = nil
      session.storing = nil
      session.scan = nil
      session.dropArrivals()
      session.isBroken = true
      if session.stage == .active, code.level == .session {
        session.clientError = ClientErrorMessage(code: code, session: ident, message: message)
      }
    }
    actions.append(
      .report(
        ident, SyncFailure(origin: .file, code: code, message: message, action: .applicationBug, isFatal: true)))
    setState(ident, .failed)
    enqueue(ident)
  }

  /// Hands what arrived to the file, one piece of work at a time.
  mutating func pumpIntegration(_ ident: SessionIdent) {
    while let session = sessions[ident], session.integration == nil, !isThrottled(ident, session),
      let arrival = sessions[ident]?.takeArrival()
    {
      switch arrival {
      case .mark(let request): markReached(ident, request)
      case .download(let message):
        let work = nextWork()
        sessions[ident]?.integration = work
        sessions[ident]?.throttle.integrationBegan(of: message.entries.count, at: now)
        sessions[ident]?.remaining = message.remaining
        actions.append(.integrate(ident, work, message))
        if let batch = message.batch, batch.state == .last { queryReached(ident, batch.query) }
      }
    }
  }

  /// Whether what arrived waits for the end of a pause, which is then timed.
  private mutating func isThrottled(_ ident: SessionIdent, _ session: ClientSession) -> Bool {
    guard session.mayThrottle, session.throttle.end > now else { return false }
    if !session.throttle.isTimed {
      sessions[ident]?.throttle.isTimed = true
      actions.append(.startTimer(.throttle(ident), after: session.throttle.end - now))
    }
    return true
  }

  mutating func throttleEnded(_ ident: SessionIdent) {
    sessions[ident]?.throttle.isTimed = false
    pumpIntegration(ident)
  }

  /// Everything that was on the server when MARK arrived there is integrated.
  private mutating func markReached(_ ident: SessionIdent, _ request: RequestIdent) {
    update(ident) { session in
      session.uploadsHeld = false
      session.hasCompletedDownload = true
    }
    let waits = sessions[ident]?.downloadWaits ?? []
    sessions[ident]?.downloadWaits = waits.filter { $0.target > request }
    for wait in waits where wait.target <= request { actions.append(.downloadsCompleted(ident, wait.ident)) }
    pumpUpload(ident)
    enqueue(ident)
  }

  private mutating func queryReached(_ ident: SessionIdent, _ version: QueryVersion) {
    update(ident) { session in
      if let reached = session.pendingQueries.first(where: { $0.query.version == version }) {
        session.activeQuery = reached.query
      }
      session.pendingQueries.removeAll { $0.query.version <= version }
    }
  }

  mutating func completeUploadWaits(_ ident: SessionIdent) {
    guard let session = sessions[ident] else { return }
    let done = session.uploadWaits.filter { session.hasUploaded($0.target) }
    guard !done.isEmpty else { return }
    sessions[ident]?.uploadWaits.removeAll { session.hasUploaded($0.target) }
    for wait in done { actions.append(.uploadsCompleted(ident, wait.ident)) }
  }

  /// Undone writes are reported once what undid them is integrated.
  mutating func reportCompensations(_ ident: SessionIdent) {
    guard let session = sessions[ident], !session.compensations.isEmpty else { return }
    let reached = session.progress.download.server
    for failure in session.compensations where (failure.compensation?.serverVersion ?? .zero) <= reached {
      actions.append(.report(ident, failure))
    }
    sessions[ident]?.compensations.removeAll { ($0.compensation?.serverVersion ?? .zero) <= reached }
  }
}
