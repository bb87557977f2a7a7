public import Dispatch
public import Foundation
public import ObjectStore

extension SyncSession: DownloadAwaiting {
  /// Stores the configuration of the first opening.
  func remember(_ configuration: SyncConfiguration) {
    shared.withLock { shared in if shared.configuration == nil { shared.configuration = configuration } }
  }

  /// The URL of the realm; nil for sessions that were not made by a user's configuration.
  public var realmURL: URL? { shared.withLock { $0.configuration?.realmURL } }

  /// The user on whose behalf the session runs; nil as ``realmURL``.
  public func parentUser() -> SyncUser? { shared.withLock { $0.configuration?.user } }

  /// The configuration that opened the session; nil as ``realmURL``, and while the session is invalid.
  public func configuration() -> SyncConfiguration? {
    state == .invalid ? nil : shared.withLock { $0.configuration }
  }

  /// The form of ``wait(for:)`` with a block, called once on `queue`, with a ``SyncError`` when the session stops.
  public func wait(
    for direction: ProgressDirection, queue: DispatchQueue? = nil, block: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let answer: @Sendable (Result<Void, SyncError>) -> Void = { result in
      let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
      (queue ?? .global()).async { block(error) }
    }
    if direction == .upload { waitForUpload(answer) } else { waitForDownload(answer) }
  }
}

extension AsyncOpenTask {
  /// Calls `block` on `queue` with the progress of the download, from when its size is known until it is complete. A local
  /// realm, and an opening that is cancelled before its file is open, calls nothing.
  public func addProgressNotification(
    queue: DispatchQueue = .main, block: @escaping @Sendable (SyncSession.Progress) -> Void
  ) {
    whenAttached { replication in
      guard let session = replication as? SyncSession else { return }
      session.keep(
        session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { progress in
          queue.async { block(progress) }
        })
    }
  }
}
