extension SyncSession {
  /// The direction of a transfer.
  public enum ProgressDirection: Hashable, Sendable {
    /// To the server.
    case upload
    /// From the server.
    case download
  }

  /// The end of a progress notification.
  public enum ProgressMode: Hashable, Sendable {
    /// Ends with its token.
    case reportIndefinitely
    /// Ends when everything that was outstanding at registration is transferred.
    case forCurrentlyOutstandingWork
  }

  /// The progress of a transfer, in bytes of changesets.
  public struct Progress: Hashable, Sendable {
    /// Bytes transferred in this process.
    public var transferredBytes: Int
    /// Bytes transferred and known to be outstanding.
    public var transferrableBytes: Int
    /// Transferred over transferrable bytes; 1 when nothing is outstanding, never above 1.
    public var fractionTransferred: Double {
      transferrableBytes <= 0 ? 1 : min(1, Double(transferredBytes) / Double(transferrableBytes))
    }
    /// The modern name of ``fractionTransferred``.
    public var progressEstimate: Double { fractionTransferred }
    /// Whether nothing is outstanding.
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
  }

  /// Calls `block` soon with the present progress, and whenever it changes, on the client's loop.
  ///
  /// - Returns: the token that keeps the notification; never nil.
  public func addProgressNotification(
    for direction: ProgressDirection, mode: ProgressMode, block: @escaping @Sendable (Progress) -> Void
  ) -> SyncToken? {
    let goal = mode == .forCurrentlyOutstandingWork ? Self.progress(direction, status).transferrableBytes : nil
    let filter = ProgressFilter()
    return observe { status in
      var progress = Self.progress(direction, status)
      if let goal { progress.transferrableBytes = goal }
      let isLast = goal != nil && progress.isTransferComplete
      if filter.admits(progress, isLast: isLast) { block(progress) }
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
