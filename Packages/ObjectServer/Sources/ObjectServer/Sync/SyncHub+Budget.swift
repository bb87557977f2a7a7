import Telemetry

extension SyncHub {
  /// Changes what is used of the budget, and lets those go on that waited for room.
  func changeBudget(_ change: (inout MemoryBudget) -> Void) {
    change(&budget)
    metrics.waitingUploadBytes.set(Int64(budget.uploads))
    metrics.waitingDownloadBytes.set(Int64(budget.downloads))
    guard !isReleasing, budget.releasesUploads || !held.isEmpty else { return }
    // From the loop: nobody's scan begins inside of another's.
    guard isAnybodyWaiting else { return }
    isReleasing = true
    scheduler.execute { [self] in
      isReleasing = false
      release()
    }
  }

  private var isAnybodyWaiting: Bool {
    !held.isEmpty || (budget.releasesUploads && !paused.isEmpty)
  }

  /// Remembers a connection that is not read from.
  func pause(_ connection: SyncConnection) { paused.append(connection) }

  /// Remembers a connection whose scans wait for room.
  func hold(_ connection: SyncConnection) {
    if !held.contains(where: { $0 === connection }) { held.append(connection) }
  }

  private func release() {
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
    let isAdmitted = connectionRate.admits(PeerAddress.withoutPort(address), at: scheduler.now)
    if !isAdmitted { metrics.throttledConnections.increment() }
    return isAdmitted
  }
}
