import ChangesetOT

/// Messages of the server. A message that is not legal in the present stage closes the connection.
extension ClientConnection {
  mutating func received(_ message: ServerMessage) {
    guard case .open = socket else { return }
    switch message {
    case .pong(let pong): ponged(pong)
    case .log(let line): actions.append(.log(line))
    case .error(let error) where error.session == .connection: connectionFailed(error.code, Self.details(of: error))
    case .jsonError(let error) where error.session == .connection: connectionFailed(error.code, error.details)
    case .ident, .download, .mark, .unbound, .error, .jsonError, .queryError, .testCommand:
      receivedForSession(message)
    }
  }

  private mutating func receivedForSession(_ message: ServerMessage) {
    guard let ident = message.session, ident <= highestIdent else {
      return violated("message for a session that never was")
    }
    guard let session = sessions[ident] else { return }
    switch message {
    case .ident(let answer): identReceived(ident, session, answer)
    case .download(let download): downloadReceived(ident, session, download)
    case .mark(let mark): markReceived(ident, session, mark)
    case .unbound:
      guard case .bound(_, .unbindSent) = session.stage else { return violated("UNBOUND without UNBIND") }
      remove(ident)
    case .error(let error): sessionFailed(ident, session, error.code, Self.details(of: error))
    case .jsonError(let error): sessionFailed(ident, session, error.code, error.details)
    case .queryError(let error):
      guard session.stage.exchange == .active else { return violated("QUERY_ERROR before IDENT") }
      sessions[ident]?.pendingQueries.removeAll { $0.query.version == error.query }
      actions.append(.queryRefused(ident, error.query, message: error.message))
    case .testCommand, .pong, .log: break
    }
  }

  private mutating func identReceived(
    _ ident: SessionIdent, _ session: ClientSession, _ message: ServerIdentMessage
  ) {
    switch session.stage {
    case .bound(_, .unbindSent), .bound(_, .over): return
    case .bound(.awaitingIdent, .none): break
    case .unbound, .bound: return violated("IDENT out of order")
    }
    guard message.file.ident >= .server, message.file.salt != 0 else { return violated("IDENT without an ident") }
    update(ident) { session in
      session.stage = .bound(.storingIdent, .none)
      session.file = .storing(message.file)
    }
    actions.append(.storeFileIdent(ident, message.file))
  }

  private mutating func downloadReceived(
    _ ident: SessionIdent, _ session: ClientSession, _ message: DownloadMessage
  ) {
    guard let isWanted = session.wantsDownloads else { return violated("DOWNLOAD out of order") }
    guard isWanted else { return }
    if DownloadVerification.isOfAnEarlierState(message, since: session.received) { return wentBack(ident, message) }
    if let violation = DownloadVerification.violation(
      in: message, since: session.received, newest: session.newest, file: session.file.ident.ident, flavour: flavour)
    {
      return violated("DOWNLOAD: \(violation)")
    }
    backoff.reset()
    askedSinceProgress = 0
    let now = now
    update(ident) { session in
      session.received = message.progress
      session.uploads.coalescing.acknowledged(through: message.progress.upload.client, at: now)
      session.downloads.append(.download(message))
    }
    scanForUpload(ident)
    integrateNext(ident)
  }

  /// Handles a server that lost acknowledged changesets: the file keeps them and uploads them again after a reset.
  private mutating func wentBack(_ ident: SessionIdent, _ message: DownloadMessage) {
    update(ident) { session in
      session.downloads = .refusing(unsent: nil)
      session.uploads.preparation = .idle
    }
    let failure = SyncFailure(
      origin: .server, code: .badClientVersion,
      message: "the server has this file's changes only up to \(message.progress.upload.client.rawValue)",
      action: .clientReset, isFatal: true, integrated: message.progress.upload.client)
    awaitOwner(ident, .resetClient(ident, failure))
    enqueue(ident)
  }

  private mutating func markReceived(_ ident: SessionIdent, _ session: ClientSession, _ message: MarkMessage) {
    guard let isWanted = session.wantsDownloads, message.request <= session.marks.sent,
      message.request > session.marks.received
    else { return violated("MARK out of order") }
    guard isWanted else { return }
    update(ident) { session in
      session.marks.received = message.request
      session.downloads.append(.mark(message.request))
    }
    integrateNext(ident)
  }
}

extension ClientSession {
  /// Whether a DOWNLOAD or an answer to MARK is taken; nil when the stage does not allow it, false when it is dropped because
  /// the session ends or its file refuses downloads.
  fileprivate var wantsDownloads: Bool? {
    switch stage {
    case .bound(.active, .none): !isDeactivating && !downloads.isRefusing
    case .bound(.active, .unbindSent): false
    case .unbound, .bound: nil
    }
  }
}
