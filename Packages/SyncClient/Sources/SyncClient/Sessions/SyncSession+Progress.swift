import Foundation
import Synchronization

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

  /// Calls `block` with the progress of a transfer: as soon as it is known how much there is, and whenever it changes.
  ///
  /// A download counts what was received and integrated, an upload what the server acknowledged. In the mode
  /// `forCurrentlyOutstandingWork` the total is what is outstanding now, as soon as that is known; the notification ends by
  /// itself with a last call whose progress is complete. Calls come in order on the run loop of the registering thread, or
  /// on a queue of the notification's own where no run loop runs.
  ///
  ///     let token = session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { progress in
  ///       print(progress.fractionTransferred)          // 0.1, 0.2, … 1.0
  ///     }
  ///
  /// - Returns: the token that keeps the notification; nil when the session has stopped and the notification would never
  ///   be called.
  public func addProgressNotification(
    for direction: ProgressDirection, mode: ProgressMode, block: @escaping @Sendable (Progress) -> Void
  ) -> SyncToken? {
    guard state != .invalid || mode == .reportIndefinitely else { return nil }
    let notification = ProgressNotification(direction, mode, place: .ofThisThread(), block: block)
    let observation = observe { notification.update($0) }
    scheduler.execute { [self] in
      if direction == .download { return notification.begin(status) }
      recount { session in notification.begin(session.status) }
    }
    if mode == .forCurrentlyOutstandingWork {
      // All that was outstanding is transferred when a wait that begins now ends, whatever was counted.
      let finish: @Sendable (Result<Void, SyncError>) -> Void = { [weak self] result in
        if case .success = result, let self { notification.finish(status) } else { notification.end() }
      }
      if direction == .upload { waitForUpload(finish) } else { waitForDownload(finish) }
    }
    return SyncToken {
      observation.invalidate()
      notification.end()
    }
  }
}
