import ChangesetOT

/// Answers of the realms, and the messages that follow from them.
extension ServerConnection {
  mutating func realmOpened(_ key: SessionKey) {
    guard isCurrent(key), let session = sessions[key.ident], case .opening(let claim) = session.stage else { return }
    if session.needsFileIdent {
      sessions[key.ident]?.stage = .allocating
      actions.append(.allocateFileIdent(key))
    } else if let claim {
      verify(claim, of: key)
    } else {
      sessions[key.ident]?.stage = .bound
    }
  }

  mutating func fileIdentAllocated(_ key: SessionKey, _ file: SaltedFileIdent) {
    guard isCurrent(key), sessions[key.ident]?.stage == .allocating else { return }
    sessions[key.ident]?.stage = .bound
    actions.append(.send(.ident(ServerIdentMessage(session: key.ident, file: file))))
  }

  mutating func clientFileFound(
    _ key: SessionKey, _ record: ClientFileRecord?, _ history: ServerHistoryState, _ untold: [CompensatingWrite]
  ) {
    guard isCurrent(key), let session = sessions[key.ident], case .verifying(let claim) = session.stage else { return }
    if let failure = IdentVerification.failure(claim: claim.ident, record: record, history: history, untold: untold) {
      return fail(key.ident, failure)
    }
    guard let record else { return }
    let file = claim.ident.file.ident
    sessions[key.ident]?.stage = .active(ActiveSession(claim, record: record))
    sessions[key.ident]?.backlog = 0
    actions.append(.sessionIdentified(key, file))
    log(to: key.ident, .debug, "Session \(key.ident.rawValue) bound to client file ident \(file.rawValue)")
    release(bytes: session.backlog)
    for message in claim.messages where isActive(key) {
      switch message {
      case .upload(let upload): integrate(upload)
      case .query(let query): take(query, of: key)
      }
    }
    // Behind the queries, before whose bootstraps MARK is not answered.
    scanAgain(key.ident)
  }

  mutating func uploadIntegrated(_ key: SessionKey, bytes: Int) {
    guard isCurrent(key), let session = sessions[key.ident], let active = session.active,
      let owed = active.integrating.first
    else { return }
    sessions[key.ident]?.updateActive { $0.integrating.removeFirst() }
    let bytes = min(max(bytes, 0), session.backlog)
    sessions[key.ident]?.backlog -= bytes
    release(bytes: bytes)
    if let held = active.heldProgress, active.integrating.count == 1 { begin(held, acknowledging: nil, for: key) }
    takeTurns(key)
    // A progress without changesets is not acknowledged: the client would store the acknowledgement in a new version and
    // upload the progress of that version, without end.
    guard let owed, owed > active.sentUpload else { return }
    sessions[key.ident]?.updateActive { $0.owedUpload = owed }
    guard !isAcknowledgedLater(key.ident) else { return }
    sessions[key.ident]?.updateActive { $0.deferredAcknowledgements = 0 }
    scanAgain(key.ident)
  }

  /// Whether the acknowledgement is left to the next upload of the session, which is being integrated: each acknowledgement
  /// costs the client a write transaction, and a client that uploads on does not wait for it.
  private mutating func isAcknowledgedLater(_ ident: SessionIdent) -> Bool {
    guard let active = sessions[ident]?.active, active.mark == nil, active.integrating.contains(where: { $0 != nil }),
      active.deferredAcknowledgements < settings.deferredAcknowledgements
    else { return false }
    sessions[ident]?.updateActive { $0.deferredAcknowledgements += 1 }
    return true
  }

  /// Records that the history may have grown, and starts a scan of it.
  mutating func scanAgain(_ ident: SessionIdent) {
    sessions[ident]?.updateActive { $0.needsScan = true }
    startScan(ident)
  }

  /// Starts a scan when the history may have grown, or when a MARK can be answered that the last scan could not answer; one at
  /// a time, unless the client reads too slowly.
  mutating func startScan(_ ident: SessionIdent) {
    guard let session = sessions[ident], let active = session.active, active.scan == .none,
      active.needsScan || (active.mark != nil && active.answersMark), !isCongested
    else { return }
    sessions[ident]?.updateActive { active in
      active.scan = .running(answering: active.answersMark ? active.mark : nil)
      active.needsScan = false
      active.queries?.beginScan()
    }
    actions.append(
      .scanHistory(
        session.key,
        DownloadScanRequest(
          file: active.file, from: active.cursor, byteBudget: settings.downloadBudget, view: active.queries?.view,
          continuesBootstrap: active.queries?.continuesBootstrap ?? false)))
  }

  mutating func historyScanned(_ key: SessionKey, _ scan: DownloadScan) {
    guard isCurrent(key), var active = sessions[key.ident]?.active, case .running(let mark) = active.scan else {
      return
    }
    let placement = active.queries?.scanned(scan, from: active.cursor)
    let isBootstrap = placement?.isBootstrap ?? false
    if isBootstrap ? placement?.isSent ?? true : active.needsDownload(after: scan) {
      active.owesDownload = false
      active.sentUpload = scan.progress.upload.client
      actions.append(.send(.download(download(scan, placement, to: key.ident))))
    }
    active.cursor = scan.progress.download
    active.scan = .none
    // A bootstrap ends at the version at which it began, and MARK is answered by a scan after it.
    active.needsScan = active.needsScan || !scan.reachedEnd || isBootstrap || active.queries?.isDue == true
    if let mark, scan.reachedEnd, placement?.batch.state != .moreToCome {
      actions.append(.send(.mark(MarkMessage(session: key.ident, request: mark))))
      if active.mark == mark { active.mark = nil }
    }
    sessions[key.ident]?.stage = .active(active)
    takeTurns(key)
    startScan(key.ident)
  }

  /// The DOWNLOAD with the result of a scan.
  private func download(
    _ scan: DownloadScan, _ placement: SessionQueries.Placement?, to session: SessionIdent
  ) -> DownloadMessage {
    let bytes = DownloadRemaining.bytes(UInt64(max(0, scan.remainingBytes)))
    guard let placement else {
      return DownloadMessage(session: session, progress: scan.progress, remaining: bytes, entries: scan.entries)
    }
    return DownloadMessage(
      session: session, progress: scan.progress,
      remaining: dialect.version.hasFractionalProgress ? .fraction(placement.fraction) : bytes,
      batch: placement.batch,
      entries: placement.needsEntry ? [.withoutInstructions(at: scan.progress.download)] : scan.entries)
  }
}

extension ActiveSession {
  /// Whether a scan leads to a DOWNLOAD: it has entries or moves the cursor, or an acknowledgement or the first DOWNLOAD is
  /// due.
  fileprivate func needsDownload(after scan: DownloadScan) -> Bool {
    let acknowledged = scan.progress.upload.client
    return !scan.entries.isEmpty || owesDownload || scan.progress.download != cursor
      || (owedUpload > sentUpload && acknowledged > sentUpload)
  }
}
