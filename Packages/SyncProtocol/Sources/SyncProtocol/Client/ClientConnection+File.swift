import ChangesetOT

/// Answers of the file, and the work that follows from them.
extension ClientConnection {
  mutating func fileIdentStored(_ ident: SessionIdent, _ newest: ClientVersion) {
    guard case .storing(let file) = sessions[ident]?.file else { return }
    update(ident) { session in
      session.file = .known(file)
      session.newest = max(session.newest, newest)
      if case .bound(.storingIdent, let closing) = session.stage { session.stage = .bound(.identified, closing) }
    }
    enqueue(ident)
  }

  mutating func historyScanned(_ ident: SessionIdent, _ work: WorkIdent, _ scan: UploadScan) {
    guard let session = sessions[ident], case .scanning(work, let start) = session.uploads.preparation else { return }
    sessions[ident]?.uploads.preparation = .idle
    let scanned = session.uploads.scanned
    guard scan.progress.client > scanned.client else {
      if scanned == start { sessions[ident]?.uploads.emptyUpTo = session.newest }
      completeUploadWaits(ident)
      return scanForUpload(ident)
    }
    // An acknowledgement may have overtaken the scan.
    var entries = scan.entries.filter { $0.cursor.client > scanned.client }
    var progress = scan.progress
    if let limit = session.uploadLimit, progress.client > limit {
      entries.removeAll { $0.cursor.client > limit }
      progress = UploadCursor(client: limit, server: entries.last?.cursor.server ?? scanned.server)
    }
    let message = UploadMessage(
      session: ident, progress: progress, lockedServerVersion: scan.lockedServerVersion, entries: entries)
    update(ident) { session in
      session.uploads.scanned = progress
      session.uploads.preparation = .ready(message)
      // The scan may have found commits that no event has reported yet.
      session.newest = max(session.newest, scan.progress.client)
    }
    enqueue(ident)
    completeUploadWaits(ident)
  }

  mutating func integrated(
    _ ident: SessionIdent, _ work: WorkIdent, _ progress: SyncProgress, _ newest: ClientVersion
  ) {
    guard let session = sessions[ident], session.integration == work else { return }
    let now = now
    if let batch = session.integratingBatch, batch.state == .last { queryReached(ident, batch.query) }
    update(ident) { session in
      session.integration = nil
      session.integratingBatch = nil
      session.throttle.integrationEnded(at: now)
      session.progress = progress
      session.newest = max(session.newest, newest)
      if session.stage.exchange != .active {
        session.received = progress
      } else if progress.upload.client > session.uploads.scanned.client {
        // Acknowledged changesets need no scan, even if another connection has sent them.
        session.uploads.scanned = progress.upload
      }
      session.backoff.reset()
    }
    actions.append(
      .progressed(
        ident,
        TransferProgress(
          progress: progress, newest: sessions[ident]?.newest ?? newest, remaining: session.remaining)))
    reportCompensations(ident)
    completeUploadWaits(ident)
    integrateNext(ident)
    scanForUpload(ident)
    enqueue(ident)
  }

  mutating func workFailed(_ ident: SessionIdent, _ code: ProtocolErrorCode, _ message: String) {
    guard let session = sessions[ident], !session.downloads.isRefusing else { return }
    let isTold = session.stage.exchange == .active && code.level == .session
    update(ident) { session in
      session.integration = nil
      session.integratingBatch = nil
      if case .storing = session.file { session.file = .unknown }
      session.uploads.cancelScan()
      session.downloads = .refusing(
        unsent: isTold ? ClientErrorMessage(code: code, session: ident, message: message) : nil)
    }
    actions.append(
      .report(
        ident, SyncFailure(origin: .file, code: code, message: message, action: .applicationBug, isFatal: true)))
    setState(ident, .failed)
    enqueue(ident)
  }

  /// Starts the next integration, one at a time; answers to MARK are handled on the way.
  mutating func integrateNext(_ ident: SessionIdent) {
    while let session = sessions[ident], session.integration == nil, !isThrottled(ident, session),
      let arrival = sessions[ident]?.downloads.take()
    {
      switch arrival {
      case .mark(let request): markReached(ident, request)
      case .download(let message):
        let work = nextWork()
        sessions[ident]?.integration = work
        sessions[ident]?.throttle.integrationBegan(of: message.entries.count, at: now)
        sessions[ident]?.remaining = message.remaining
        sessions[ident]?.integratingBatch = message.batch
        actions.append(.integrate(ident, work, message, reports: session.compensations(dueWith: message)))
      }
    }
  }

  /// Whether the next integration is delayed; starts the timer of the delay.
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
    integrateNext(ident)
  }

  /// Handles the answer to MARK once everything before it is integrated.
  private mutating func markReached(_ ident: SessionIdent, _ request: RequestIdent) {
    update(ident) { session in
      session.uploads.isHeld = false
      session.hasCompletedDownload = true
    }
    let waits = sessions[ident]?.downloadWaits ?? []
    sessions[ident]?.downloadWaits = waits.filter { $0.target > request }
    for wait in waits where wait.target <= request { actions.append(.downloadsCompleted(ident, wait.ident)) }
    if let query = sessions[ident]?.markedQuery {
      sessions[ident]?.markedQuery = nil
      actions.append(.queryCompleted(ident, query))
    }
    scanForUpload(ident)
    enqueue(ident)
  }

  private mutating func queryReached(_ ident: SessionIdent, _ version: QueryVersion) {
    update(ident) { session in
      if let reached = session.pendingQueries.first(where: { $0.query.version == version }) {
        session.activeQuery = reached.query
      }
      session.markedQuery = version
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

  /// Reports the compensating writes that are integrated.
  mutating func reportCompensations(_ ident: SessionIdent) {
    guard let session = sessions[ident], !session.compensations.isEmpty else { return }
    let reached = session.progress.download.server
    for failure in session.compensations where failure.isDue(at: reached) { actions.append(.report(ident, failure)) }
    sessions[ident]?.compensations.removeAll { $0.isDue(at: reached) }
  }
}
