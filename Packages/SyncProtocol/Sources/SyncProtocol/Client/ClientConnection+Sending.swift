import ChangesetOT

/// Whose turn it is, and what is sent: one message at a time, sessions in turn.
extension ClientConnection {
  /// Gives the session a turn, if it may want one.
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

  /// What the session says next, by priority; nil when nothing.
  private func nextMessage(_ ident: SessionIdent) -> ClientMessage? {
    guard let session = sessions[ident] else { return nil }
    if session.isDeactivating || session.errorReceived {
      return session.isBound && !session.unbindSent ? .unbind(UnbindMessage(session: ident)) : nil
    }
    guard session.rest == .none else { return nil }
    switch session.stage {
    case .unbound:
      guard session.storing == nil else { return nil }
      return .bind(
        BindMessage(
          session: ident, path: session.path, token: session.token, needsFileIdent: session.file.ident == .none))
    case .awaitingIdent, .storingIdent:
      return nil
    case .bound:
      // The cursors in IDENT must be those that are stored.
      guard session.integration == nil else { return nil }
      return .ident(
        ClientIdentMessage(
          session: ident, file: session.file, download: session.progress.download,
          latestServerVersion: session.progress.latestServerVersion,
          query: flavour == .flexible ? session.activeQuery ?? QuerySet() : nil))
    case .active:
      if let error = session.clientError { return .jsonError(error) }
      if session.markWanted > session.markSent {
        return .mark(MarkMessage(session: ident, request: session.markWanted))
      }
      if let query = nextQuery(session) { return .query(QueryChangeMessage(session: ident, query: query)) }
      return session.upload.map { .upload($0) }
    }
  }

  private func nextQuery(_ session: ClientSession) -> QuerySet? {
    guard !session.uploadsHeld, let next = session.pendingQueries.first(where: { !$0.isSent }),
      session.upload == nil, session.scanned.client >= next.after || !session.allowsUploads
    else { return nil }
    return next.query
  }

  /// What sending a message changes.
  private mutating func sent(_ message: ClientMessage, _ ident: SessionIdent) {
    switch message {
    case .bind(let bind):
      sessions[ident]?.stage = bind.needsFileIdent ? .awaitingIdent : .bound
    case .ident:
      sessions[ident]?.stage = .active
      update(ident) { session in
        session.received = session.progress
        session.scanned = session.progress.upload
      }
      setState(ident, .active)
      pumpUpload(ident)
    case .unbind:
      sessions[ident]?.unbindSent = true
      guard let session = sessions[ident], session.errorReceived else { return }
      if session.isDeactivating {
        remove(ident)
      } else if session.resumesAfterUnbind {
        resume(ident)
      }
    case .jsonError: sessions[ident]?.clientError = nil
    case .mark(let mark): sessions[ident]?.markSent = mark.request
    case .query(let change):
      update(ident) { session in
        for index in session.pendingQueries.indices where session.pendingQueries[index].query == change.query {
          session.pendingQueries[index].isSent = true
        }
        session.markWanted = RequestIdent(session.markSent.rawValue + 1)
      }
    case .upload(let upload):
      sessions[ident]?.upload = nil
      if let last = upload.entries.last {
        sessions[ident]?.lastSelected = last.cursor.client
        sessions[ident]?.coalescing.sent(upload.entries, at: now)
      }
      completeUploadWaits(ident)
      pumpUpload(ident)
    case .ping, .testCommand: break
    }
  }

  /// Asks for a scan of the local history when there is something beyond the last one, and changes do not coalesce.
  mutating func pumpUpload(_ ident: SessionIdent) {
    guard let session = sessions[ident], session.stage == .active, session.allowsUploads, !session.uploadsHeld,
      !session.isBroken, !session.errorReceived, !session.isDeactivating, session.scan == nil, session.upload == nil
    else { return }
    // Before there is any: the owner need not say so of each change that comes meanwhile.
    if session.coalescingEnd > now { return coalesce(ident, session) }
    if session.coalescing.isTimed {
      sessions[ident]?.coalescing.isTimed = false
      actions.append(.stopTimer(.coalesce(ident)))
    }
    guard session.newest > max(session.scanned.client, session.emptyUpTo), session.newest.rawValue > 1 else { return }
    let work = nextWork()
    sessions[ident]?.scan = work
    sessions[ident]?.scanFrom = session.scanned
    actions.append(
      .scanHistory(ident, UploadScanRequest(work: work, after: session.scanned, byteBudget: uploadBudget)))
  }

  private mutating func coalesce(_ ident: SessionIdent, _ session: ClientSession) {
    guard !session.coalescing.isTimed else { return }
    sessions[ident]?.coalescing.isTimed = true
    actions.append(.startTimer(.coalesce(ident), after: session.coalescingEnd - now))
  }

  mutating func coalescingEnded(_ ident: SessionIdent) {
    sessions[ident]?.coalescing.isTimed = false
    pumpUpload(ident)
  }
}
