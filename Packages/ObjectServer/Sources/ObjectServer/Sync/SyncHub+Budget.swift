import Telemetry
import Transport

extension SyncHub {
  /// Changes the use of the budget, and resumes connections that wait for memory.
  func changeBudget(_ change: (inout MemoryBudget) -> Void) {
    let uploads = budget.uploads
    change(&budget)
    // Waiting uploads occupy memory that could be read into otherwise.
    if budget.uploads > uploads { receiveBudget.reserve(budget.uploads - uploads) }
    if budget.uploads < uploads { receiveBudget.release(uploads - budget.uploads) }
    if budget.downloads != receiveBudget.occupied { receiveBudget.occupied = budget.downloads }
    metrics.waitingUploadBytes.set(Int64(budget.uploads))
    metrics.waitingDownloadBytes.set(Int64(budget.downloads))
    guard !isReleasing, budget.releasesUploads || !held.isEmpty else { return }
    // On the next turn of the loop, so that no scan begins inside of another.
    guard hasWaitingConnections else { return }
    isReleasing = true
    scheduler.execute { [self] in
      isReleasing = false
      release()
    }
  }

  private var hasWaitingConnections: Bool {
    !held.isEmpty || (budget.releasesUploads && !paused.isEmpty)
  }

  /// Registers a connection that is not read from.
  func pause(_ connection: SyncConnection) { paused.append(connection) }

  /// Registers a connection with scans that wait for memory.
  func hold(_ connection: SyncConnection) {
    receiveBudget.isReleaseAwaited = true
    if !held.contains(where: { $0 === connection }) { held.append(connection) }
  }

  /// Whether a scan may begin for a connection on which `buffered` bytes wait.
  func admitsScan(buffered: Int) -> Bool { budget.admitsScan(buffered: buffered, received: receiveBudget.held) }

  /// Resumes the waiting connections as far as the budget allows.
  func release() {
    if budget.releasesUploads {
      let waiting = paused
      paused = []
      for connection in waiting { connection.resumeAfterPause() }
    }
    let waiting = held
    held = []
    for connection in waiting where !connection.scanHeld() { hold(connection) }
  }

  /// Whether a new connection from this address is admitted now.
  func admits(connectionFrom address: String) -> Bool {
    let isAdmitted = connectionRate.admits(PeerGroup(remoteAddress: address).description, at: scheduler.now)
    if !isAdmitted { metrics.throttledConnections.increment() }
    return isAdmitted
  }
}
