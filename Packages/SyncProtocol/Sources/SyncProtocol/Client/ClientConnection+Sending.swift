import ChangesetOT

/// Sending: one message at a time, sessions in round-robin order.
extension ClientConnection {
  /// Adds the session to the end of the send queue, unless it is in the queue.
  mutating func enqueue(_ ident: SessionIdent) {
    guard case .open = socket, sessions[ident] != nil else { return }
    if !sendQueue.contains(ident) { sendQueue.append(ident) }
    sendNext()
  }

  mutating func sendNext() {
    guard case .open = socket, !isWriting else { return }
    if heartbeat.isDue {
      heartbeat.isDue = false
      let timestamp = UInt64(max(0, now.wholeMilliseconds))
      heartbeat.outstanding = timestamp
      return send(.ping(PingMessage(timestamp: timestamp, roundTrip: heartbeat.roundTrip)))
    }
    while !sendQueue.isEmpty, !isWriting {
      let ident = sendQueue.removeFirst()
      guard let message = nextMessage(ident) else { continue }
      sendQueue.append(ident)
      send(message)
      sent(message, ident)
    }
  }

  private mutating func send(_ message: ClientMessage) {
    isWriting = true
    actions.append(.send(message))
  }

  /// The next message of the session, by priority; nil when there is none.
  private func nextMessage(_ ident: SessionIdent) -> ClientMessage? {
    guard let session = sessions[ident] else { return nil }
    if session.isDeactivating || session.stage.hasFailed {
      return session.stage.allowsUnbind ? .unbind(UnbindMessage(session: ident)) : nil
    }
    guard session.availability == .running else { return nil }
    switch session.stage {
    case .unbound:
      if case .storing = session.file { return nil }
      return .bind(
        BindMessage(
          session: ident, path: session.path, token: session.token, needsFileIdent: session.file == .unknown))
    case .bound(.awaitingIdent, _), .bound(.storingIdent, _):
      return nil
    case .bound(.identified, _):
      // The cursors of IDENT must be the stored ones.
      guard session.integration == nil else { return nil }
      return .ident(
        ClientIdentMessage(
          session: ident, file: session.file.ident, download: session.progress.download,
          latestServerVersion: session.progress.latestServerVersion,
          query: flavour == .flexible ? session.activeQuery ?? QuerySet() : nil))
    case .bound(.active, _):
      return nextMessage(ofActive: session, ident)
    }
  }

  private func nextMessage(ofActive session: ClientSession, _ ident: SessionIdent) -> ClientMessage? {
    if let error = session.downloads.unsentError { return .jsonError(error) }
    if session.marks.wanted > session.marks.sent {
      return .mark(MarkMessage(session: ident, request: session.marks.wanted))
    }
    if let query = nextQuery(session) { return .query(QueryChangeMessage(session: ident, query: query)) }
    switch session.uploads.preparation {
    case .ready(let upload): return .upload(upload)
    case .idle, .scanning: return nil
    }
  }

  private func nextQuery(_ session: ClientSession) -> QuerySet? {
    guard !session.uploads.isHeld, let next = session.pendingQueries.first(where: { !$0.isSent }),
      !session.uploads.isReady, session.uploads.scanned.client >= next.after || !session.allowsUploads
    else { return nil }
    return next.query
  }

  /// The transitions of a session after a message is sent.
  private mutating func sent(_ message: ClientMessage, _ ident: SessionIdent) {
    switch message {
    case .bind(let bind):
      sessions[ident]?.stage = .bound(bind.needsFileIdent ? .awaitingIdent : .identified, .none)
    case .ident:
      update(ident) { session in
        session.stage = .bound(.active, .none)
        session.received = session.progress
        session.uploads.scanned = session.progress.upload
      }
      setState(ident, .active)
      scanForUpload(ident)
    case .unbind: unbindSent(ident)
    case .jsonError: sessions[ident]?.downloads = .refusing(unsent: nil)
    case .mark(let mark): sessions[ident]?.marks.sent = mark.request
    case .query(let change):
      update(ident) { session in
        for index in session.pendingQueries.indices where session.pendingQueries[index].query == change.query {
          session.pendingQueries[index].isSent = true
        }
        session.marks.want()
      }
      scanForUpload(ident)
    case .upload(let upload):
      let now = now
      update(ident) { session in
        session.uploads.preparation = .idle
        guard let last = upload.entries.last else { return }
        session.uploads.lastSent = last.cursor.client
        session.uploads.coalescing.sent(upload.entries, at: now)
      }
      completeUploadWaits(ident)
      scanForUpload(ident)
    case .ping, .testCommand: break
    }
  }

  private mutating func unbindSent(_ ident: SessionIdent) {
    guard let session = sessions[ident], case .bound(let exchange, let closing) = session.stage else { return }
    switch closing {
    case .none: sessions[ident]?.stage = .bound(exchange, .unbindSent)
    case .errorReceived(let bindsAgain):
      sessions[ident]?.stage = .bound(exchange, .over)
      if session.isDeactivating {
        remove(ident)
      } else if bindsAgain {
        resume(ident)
      }
    case .unbindSent, .over: break
    }
  }

  /// Starts a scan of the local history when there is something beyond the last one, and changes do not coalesce.
  mutating func scanForUpload(_ ident: SessionIdent) {
    guard let session = sessions[ident], session.stage == .bound(.active, .none), session.allowsUploads,
      !session.uploads.isHeld, !session.downloads.isRefusing, !session.isDeactivating,
      session.uploads.preparation == .idle
    else { return }
    // Coalescing begins even without changes: the owner then need not report each commit.
    if session.coalescingEnd > now { return coalesce(ident, session) }
    if session.uploads.coalescing.isTimed {
      sessions[ident]?.uploads.coalescing.isTimed = false
      actions.append(.stopTimer(.coalesce(ident)))
    }
    let scanned = session.uploads.scanned
    if let limit = session.uploadLimit, scanned.client >= limit { return }
    guard session.newest > max(scanned.client, session.uploads.emptyUpTo), session.newest.rawValue > 1 else { return }
    let work = nextWork()
    sessions[ident]?.uploads.preparation = .scanning(work, from: scanned)
    actions.append(.scanHistory(ident, UploadScanRequest(work: work, after: scanned, byteBudget: uploadBudget)))
  }

  private mutating func coalesce(_ ident: SessionIdent, _ session: ClientSession) {
    guard !session.uploads.coalescing.isTimed else { return }
    sessions[ident]?.uploads.coalescing.isTimed = true
    actions.append(.startTimer(.coalesce(ident), after: session.coalescingEnd - now))
  }

  mutating func coalescingEnded(_ ident: SessionIdent) {
    sessions[ident]?.uploads.coalescing.isTimed = false
    scanForUpload(ident)
  }
}
