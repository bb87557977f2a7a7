/// Turns the statuses of a session into the progress of one notification. Pure.
struct ProgressTracker {
  let direction: SyncSession.ProgressDirection
  let mode: SyncSession.ProgressMode
  /// The total of the mode `forCurrentlyOutstandingWork`, once it is known.
  private var total: Int?
  private var last: SyncSession.Progress?
  /// Whether the last progress was given.
  private(set) var isDone = false
  /// Whether statuses are those of after the registration. The commit before it may not be counted yet.
  private var hasBegun = false

  init(_ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode) {
    self.direction = direction
    self.mode = mode
  }

  /// The first progress to report; the status counts what was committed before the registration.
  mutating func begin(_ status: SyncStatus) -> SyncSession.Progress? {
    hasBegun = true
    return update(status)
  }

  /// The progress to report for a status; nil when nothing is known yet, nothing changed, or all was told.
  mutating func update(_ status: SyncStatus) -> SyncSession.Progress? {
    let (transferred, outstanding, isKnown) = Self.amounts(direction, status)
    guard hasBegun, !isDone, isKnown else { return nil }
    return report(transferred, outstanding)
  }

  /// The last progress, when what was outstanding at registration is transferred; nil when it was told.
  mutating func finish(_ status: SyncStatus) -> SyncSession.Progress? {
    guard !isDone, mode == .forCurrentlyOutstandingWork else { return nil }
    return report(Self.amounts(direction, status).transferred, 0)
  }

  /// Reports nothing any more.
  mutating func end() { isDone = true }

  private mutating func report(_ transferred: Int, _ outstanding: Int) -> SyncSession.Progress? {
    var progress = SyncSession.Progress(
      transferredBytes: transferred, transferrableBytes: transferred + outstanding)
    if mode == .forCurrentlyOutstandingWork {
      let total = total ?? progress.transferrableBytes
      self.total = total
      progress.transferrableBytes = total
      // The server's account of what is left is an estimate.
      progress.transferredBytes = outstanding == 0 ? total : min(transferred, total)
      isDone = progress.isTransferComplete
    }
    guard progress != last else { return nil }
    last = progress
    return progress
  }

  private static func amounts(
    _ direction: SyncSession.ProgressDirection, _ status: SyncStatus
  ) -> (transferred: Int, outstanding: Int, isKnown: Bool) {
    switch direction {
    case .download: (status.transfer.downloaded, status.remainingDownloadBytes, status.isDownloadKnown)
    case .upload: (status.transfer.uploaded, status.pendingUploadBytes, status.areUploadsCounted)
    }
  }
}
