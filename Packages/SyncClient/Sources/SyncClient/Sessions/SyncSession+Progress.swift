extension SyncSession {
  /// Which way.
  public enum ProgressDirection: Hashable, Sendable {
    case upload, download
  }

  /// Until when.
  public enum ProgressMode: Hashable, Sendable {
    /// As long as the token lives.
    case reportIndefinitely
    /// Until what is outstanding at registration is transferred.
    case forCurrentlyOutstandingWork
  }

  /// How far a transfer is.
  public struct Progress: Hashable, Sendable {
    /// Bytes done in this process.
    public var transferredBytes: Int
    /// Bytes done and known to be left.
    public var transferrableBytes: Int
    /// Done through known; 1 when there is nothing to do, never above 1.
    public var fractionTransferred: Double {
      transferrableBytes <= 0 ? 1 : min(1, Double(transferredBytes) / Double(transferrableBytes))
    }
    /// The modern name of ``fractionTransferred``.
    public var progressEstimate: Double { fractionTransferred }
    /// Whether nothing is left.
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
  }

  /// Calls `block` at once with what is known, and whenever it changes, on the client's loop.
  public func addProgressNotification(
    for direction: ProgressDirection, mode: ProgressMode, block: @escaping @Sendable (Progress) -> Void
  ) -> SyncToken? {
    let goal = mode == .forCurrentlyOutstandingWork ? Self.progress(direction, status).transferrableBytes : nil
    let gate = ProgressGate()
    return observe { status in
      var progress = Self.progress(direction, status)
      if let goal { progress.transferrableBytes = goal }
      let isLast = goal != nil && progress.isTransferComplete
      if gate.admits(progress, isLast: isLast) { block(progress) }
    }
  }

  private static func progress(_ direction: ProgressDirection, _ status: SyncStatus) -> Progress {
    switch direction {
    case .download:
      Progress(
        transferredBytes: status.transfer.downloaded,
        transferrableBytes: status.transfer.downloaded + status.remainingDownloadBytes)
    case .upload:
      Progress(
        transferredBytes: status.transfer.uploaded,
        transferrableBytes: status.transfer.uploaded + status.transfer.unacknowledged
          + (status.transfer.unacknowledged == 0 && status.pendingUploads > 0 ? 1 : 0))
    }
  }
}
