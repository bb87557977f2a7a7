import SyncProtocol
import Transport

extension SyncConnection {
  // MARK: Uploads

  /// Counts an upload that waits for integration. When the budget is exhausted, the connection is not read from unless it
  /// has little waiting.
  func uploadBegan(_ key: SessionKey, _ bytes: Int) {
    load.beginUpload(key, bytes)
    hub.changeBudget { $0.addUpload(bytes) }
    if hub.budget.holdsUploads(waiting: load.waitingUploadBytes) { pauseByBudget() }
  }

  /// Updates the load by an event of a realm, before the machine handles it.
  func account(_ event: ServerConnection.Event) {
    switch event {
    case .uploadIntegrated(let key, bytes: _):
      if let bytes = load.endUpload(key) { hub.changeBudget { $0.removeUpload(bytes) } }
    case .historyScanned(let key, _), .queryRefused(let key, _, message: _): scanEnded(key)
    case .sessionFailed(let key, _): unload(key)
    case .received, .malformed, .receivedOversized, .receivedText, .disconnected, .congested, .drained, .timerEnded,
      .realmOpened, .fileIdentAllocated, .clientFileFound, .historyAdvanced, .sessionWarned, .displaced,
      .tokenExpired, .userRefused, .shutDown:
      break
    }
  }

  /// Counts the bytes that wait for other nodes, and stops the reading while they are too many.
  func noteRelayed(_ bytes: Int, isFull: Bool) {
    if bytes != load.relayed {
      let change = bytes - load.relayed
      load.relayed = bytes
      hub.changeBudget { if change > 0 { $0.addUpload(change) } else { $0.removeUpload(-change) } }
    }
    if hub.budget.holdsUploads(waiting: bytes) { pauseByBudget() }
    guard isFull != load.isPausedByRelay else { return }
    load.isPausedByRelay = isFull
    if isFull { socket?.pauseReading() } else { resumeReadingIfNothingForbids() }
  }

  private func pauseByBudget() {
    guard !load.isPausedByBudget else { return }
    load.isPausedByBudget = true
    hub.pause(self)
    hub.metrics.budgetPauses.increment()
    socket?.pauseReading()
  }

  /// Removes the load of a session that ended.
  func unload(_ key: SessionKey) {
    let bytes = load.endUploads(key)
    if bytes > 0 { hub.changeBudget { $0.removeUpload(bytes) } }
    load.heldScans[key] = nil
    scanEnded(key)
  }

  func unloadAll() {
    for key in load.uploadingSessions.union(load.scans).union(load.heldScans.keys) { unload(key) }
    noteBuffered(0)
  }

  /// Reads again after a pause by the budget.
  func resumeAfterPause() {
    guard load.isPausedByBudget else { return }
    load.isPausedByBudget = false
    resumeReadingIfNothingForbids()
  }

  func pauseByMachine(_ isPaused: Bool) {
    load.isPausedByMachine = isPaused
    if isPaused {
      socket?.pauseReading()
    } else {
      resumeReadingIfNothingForbids()
    }
  }

  private func resumeReadingIfNothingForbids() {
    guard !load.isPausedByMachine, !load.isPausedByBudget, !load.isPausedByDecoding, !load.isPausedByRelay else {
      return
    }
    socket?.resumeReading()
  }

  func pauseForDecoding(_ isPaused: Bool) {
    load.isPausedByDecoding = isPaused
    if isPaused { socket?.pauseReading() } else { resumeReadingIfNothingForbids() }
  }

  // MARK: Downloads

  /// Begins a scan, or holds it until there is memory.
  func scan(_ key: SessionKey, _ request: DownloadScanRequest) {
    guard hub.admitsScan(buffered: socket?.bufferedBytes ?? 0) else {
      hub.metrics.budgetPauses.increment()
      load.heldScans[key] = request
      return hub.hold(self)
    }
    if load.scans.insert(key).inserted { hub.changeBudget { $0.beginScan() } }
    ask(.scan(request), key)
  }

  /// Tries held scans again.
  ///
  /// - Returns: whether no scan is held any more.
  func scanHeld() -> Bool {
    for (key, request) in load.heldScans.sorted(by: { $0.key.generation < $1.key.generation }) {
      guard hub.admitsScan(buffered: socket?.bufferedBytes ?? 0) else { return false }
      load.heldScans[key] = nil
      scan(key, request)
    }
    return true
  }

  private func scanEnded(_ key: SessionKey) {
    if load.scans.remove(key) != nil { hub.changeBudget { $0.endScan() } }
  }

  func noteBuffered(_ bytes: Int) {
    guard bytes != load.buffered else { return }
    let change = bytes - load.buffered
    load.buffered = bytes
    hub.changeBudget { $0.changeDownloads(by: change) }
  }

  /// Closes the connection when the client reads nothing for the slow-reader timeout.
  func watchReader() {
    let (buffered, sent) = (socket?.bufferedBytes ?? 0, load.sent)
    hub.scheduler.schedule(after: hub.configuration.slowReaderTimeout) { [weak self] in
      guard let self, isCongested, let socket else { return }
      let read = buffered + (load.sent - sent) - socket.bufferedBytes
      guard read <= 0 else { return watchReader() }
      hub.metrics.slowReaders.increment()
      logger.warn("cut: it does not read", ["waiting": .integer(Int64(socket.bufferedBytes))])
      socket.abort()
    }
  }
}
