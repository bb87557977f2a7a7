public import Dispatch
public import Foundation
public import ObjectStore

extension SyncSession: DownloadAwaiting {
  /// Remembers what the session was opened with, once.
  func remember(_ configuration: SyncConfiguration) {
    shared.withLock { shared in if shared.configuration == nil { shared.configuration = configuration } }
  }

  /// Where the realm is; nil for sessions that were not made by a user's configuration.
  public var realmURL: URL? { shared.withLock { $0.configuration?.realmURL } }

  /// On whose behalf the session runs; nil as ``realmURL``.
  public func parentUser() -> SyncUser? { shared.withLock { $0.configuration?.user } }

  /// What the session was opened with; nil as ``realmURL``, and when the session is invalid.
  public func configuration() -> SyncConfiguration? {
    state == .invalid ? nil : shared.withLock { $0.configuration }
  }

  /// The form of ``wait(for:)`` with a block, called once on `queue`, with an error when the session stops.
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
  /// Calls `block` on `queue` with the progress of the download until the realm is open, or the opening cancelled.
  public func addProgressNotification(
    queue: DispatchQueue = .main, block: @escaping @Sendable (SyncSession.Progress) -> Void
  ) {
    Task.detached {
      // The session is there as soon as the file is open.
      for _ in 0..<100 {
        if let session = replication as? SyncSession {
          session.keep(
            session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { progress in
              queue.async { block(progress) }
            })
          return
        }
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
