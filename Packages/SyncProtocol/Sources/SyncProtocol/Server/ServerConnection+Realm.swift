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

  mutating func clientFileFound(_ key: SessionKey, _ record: ClientFileRecord?, _ history: ServerHistoryState) {
    guard isCurrent(key), let session = sessions[key.ident], case .verifying(let claim) = session.stage else { return }
    if let failure = IdentVerification.failure(claim: claim.ident, record: record, history: history) {
      return fail(key.ident, failure)
    }
    guard let record else { return }
    let file = claim.ident.file.ident
    sessions[key.ident]?.stage = .active(ActiveSession(claim, record: record))
    sessions[key.ident]?.backlog = 0
    actions.append(.sessionIdentified(key, file, query: claim.ident.query))
    log(to: key.ident, .debug, "Session \(key.ident.rawValue) bound to client file ident \(file.rawValue)")
    scanAgain(key.ident)
    release(bytes: session.backlog)
    for message in claim.uploads where isActive(key) { integrate(message) }
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

  /// Starts a scan when the history may have grown, one at a time, unless the client reads too slowly.
  mutating func startScan(_ ident: SessionIdent) {
    guard let session = sessions[ident], let active = session.active, active.scan == .none, active.needsScan,
      !isCongested
    else { return }
    sessions[ident]?.updateActive { active in
      active.scan = .running(answering: active.mark)
      active.needsScan = false
    }
    actions.append(
      .scanHistory(
        session.key,
        DownloadScanRequest(file: active.file, from: active.cursor, byteBudget: settings.downloadBudget)))
  }

  mutating func historyScanned(_ key: SessionKey, _ scan: DownloadScan) {
    guard isCurrent(key), let active = sessions[key.ident]?.active, case .running(let mark) = active.scan else {
      return
    }
    let ident = key.ident
    sessions[ident]?.updateActive { $0.scan = .none }
    if active.needsDownload(after: scan) {
      sessions[ident]?.updateActive { active in
        active.owesDownload = false
        active.cursor = scan.progress.download
        active.sentUpload = scan.progress.upload.client
      }
      let message = DownloadMessage(
        session: ident, progress: scan.progress, remaining: .bytes(UInt64(max(0, scan.remainingBytes))),
        entries: scan.entries)
      actions.append(.send(.download(message)))
    }
    if !scan.reachedEnd {
      sessions[ident]?.updateActive { $0.needsScan = true }
    } else if let mark {
      actions.append(.send(.mark(MarkMessage(session: ident, request: mark))))
      if active.mark == mark { sessions[ident]?.updateActive { $0.mark = nil } }
    }
    startScan(ident)
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
