import SyncProtocol
import Transport

extension SyncConnection {
  // MARK: Uploads

  /// Counts an upload that goes to the disk. When the budget is used up, TCP holds the client up, unless it has sent little.
  func uploadBegan(_ key: SessionKey, _ bytes: Int) {
    load.beginUpload(key, bytes)
    hub.changeBudget { $0.addUpload(bytes) }
    guard hub.budget.holdsUploads(waiting: load.waitingUploadBytes), !load.isPausedByBudget else { return }
    load.isPausedByBudget = true
    hub.pause(self)
    hub.metrics.budgetPauses.increment()
    socket?.pauseReading()
  }

  /// Looks at what comes back from realms before the machine does.
  func account(_ event: ServerConnection.Event) {
    switch event {
    case .uploadIntegrated(let key, bytes: _):
      if let bytes = load.endUpload(key) { hub.changeBudget { $0.removeUpload(bytes) } }
    case .historyScanned(let key, _): scanEnded(key)
    case .sessionFailed(let key, _): unload(key)
    default: break
    }
  }

  /// A session is gone with all that waited for it.
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

  /// The budget has room again.
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
    if !load.isPausedByMachine, !load.isPausedByBudget, !load.isPausedByDecoding { socket?.resumeReading() }
  }

  func pauseForDecoding(_ isPaused: Bool) {
    load.isPausedByDecoding = isPaused
    if isPaused { socket?.pauseReading() } else { resumeReadingIfNothingForbids() }
  }

  // MARK: Downloads

  /// Begins a scan, or holds it until there is room.
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
  /// - Returns: whether none is held any more.
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

  /// Cuts the connection when nothing of what waits is read for too long.
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
