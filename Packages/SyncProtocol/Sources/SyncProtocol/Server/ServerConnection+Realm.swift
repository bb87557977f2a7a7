import ChangesetOT

/// What the realms answer.
extension ServerConnection {
  mutating func realmOpened(_ key: SessionKey) {
    guard isCurrent(key), let session = sessions[key.ident], session.stage == .opening else { return }
    sessions[key.ident]?.isRealmOpen = true
    if session.needsFileIdent {
      sessions[key.ident]?.stage = .allocating
      actions.append(.allocateFileIdent(key))
    } else if session.hasIdent {
      verify(key.ident)
    } else {
      sessions[key.ident]?.stage = .bound
    }
  }

  mutating func fileIdentAllocated(_ key: SessionKey, _ file: SaltedFileIdent) {
    guard isCurrent(key), sessions[key.ident]?.stage == .allocating else { return }
    sessions[key.ident]?.stage = .bound
    actions.append(.send(.ident(ServerIdentMessage(session: key.ident, file: file))))
  }

  mutating func clientFileFound(_ key: SessionKey, _ record: ClientFileRecord?, _ history: ServerHistoryState) {
    guard isCurrent(key), let session = sessions[key.ident], session.stage == .verifying, let claim = session.claim
    else { return }
    if let failure = IdentVerification.failure(claim: claim, record: record, history: history) {
      return fail(key.ident, failure)
    }
    guard let record else { return }
    sessions[key.ident]?.stage = .active
    sessions[key.ident]?.cursor = claim.download
    sessions[key.ident]?.uploads = UploadVerification(file: claim.file.ident, record: record, resumed: claim.download)
    sessions[key.ident]?.early = []
    sessions[key.ident]?.backlog = 0
    actions.append(.sessionIdentified(key, claim.file.ident, query: claim.query))
    log(to: key.ident, .debug, "Session \(key.ident.rawValue) bound to client file ident \(claim.file.ident.rawValue)")
    sessions[key.ident]?.needsScan = true
    pump(key.ident)
    release(bytes: session.backlog)
    for message in session.early where isActive(key) { integrate(message) }
  }

  mutating func uploadIntegrated(_ key: SessionKey, bytes: Int) {
    guard isActive(key), let session = sessions[key.ident], let owed = session.integrating.first else { return }
    sessions[key.ident]?.integrating.removeFirst()
    let bytes = min(max(bytes, 0), session.backlog)
    sessions[key.ident]?.backlog -= bytes
    release(bytes: bytes)
    if let held = sessions[key.ident]?.heldProgress, sessions[key.ident]?.integrating.isEmpty ?? false {
      begin(held, acknowledging: nil, for: key)
    }
    // A progress without changesets is not acknowledged: storing the answer would take a client version, whose progress would
    // be uploaded, and so on for ever.
    guard let owed, owed > session.sentUpload else { return }
    sessions[key.ident]?.owedUpload = owed
    guard !isAcknowledgedLater(key.ident) else { return }
    sessions[key.ident]?.deferredAcknowledgements = 0
    sessions[key.ident]?.needsScan = true
    pump(key.ident)
  }

  /// Whether the acknowledgement is left to that of an upload of the same session that is being integrated already: its client
  /// sends on without waiting for one, and each costs it a write transaction, between those of its application.
  private mutating func isAcknowledgedLater(_ ident: SessionIdent) -> Bool {
    guard let session = sessions[ident], session.mark == nil, session.integrating.contains(where: { $0 != nil }),
      session.deferredAcknowledgements < settings.deferredAcknowledgements
    else { return false }
    sessions[ident]?.deferredAcknowledgements += 1
    return true
  }

  /// Asks for a scan when there may be something to send, one at a time, unless the client reads too slowly.
  mutating func pump(_ ident: SessionIdent) {
    guard let session = sessions[ident], session.stage == .active, !session.isScanning, session.needsScan,
      !isCongested, let file = session.claim?.file.ident
    else { return }
    sessions[ident]?.isScanning = true
    sessions[ident]?.needsScan = false
    sessions[ident]?.scannedMark = session.mark
    actions.append(
      .scanHistory(
        session.key,
        DownloadScanRequest(file: file, from: session.cursor, byteBudget: settings.downloadBudget)))
  }

  mutating func historyScanned(_ key: SessionKey, _ scan: DownloadScan) {
    guard isActive(key), let session = sessions[key.ident], session.isScanning else { return }
    let ident = key.ident
    sessions[ident]?.isScanning = false
    let isNews =
      !scan.entries.isEmpty || session.owesDownload || scan.progress.download != session.cursor
      || (session.owedUpload > session.sentUpload && scan.progress.upload.client > session.sentUpload)
    if isNews {
      sessions[ident]?.owesDownload = false
      sessions[ident]?.cursor = scan.progress.download
      sessions[ident]?.sentUpload = scan.progress.upload.client
      actions.append(
        .send(
          .download(
            DownloadMessage(
              session: ident, progress: scan.progress, remaining: .bytes(UInt64(max(0, scan.remainingBytes))),
              entries: scan.entries))))
    }
    if !scan.reachedEnd {
      sessions[ident]?.needsScan = true
    } else if let mark = session.scannedMark {
      actions.append(.send(.mark(MarkMessage(session: ident, request: mark))))
      if sessions[ident]?.mark == mark { sessions[ident]?.mark = nil }
    }
    sessions[ident]?.scannedMark = nil
    pump(ident)
  }
}
