import Concurrency
import SyncProtocol
import Transport

extension SyncSession {
  /// Stops syncing until ``resume()``. Local transactions go on, and are uploaded then.
  public func suspend() {
    scheduler.execute { [self] in
      guard status.state != .inactive, !isClosed else { return }
      change { $0.state = .inactive }
      feedReset { $0.cancel() }
      leaveConnection()
    }
  }

  /// Syncs again after ``suspend()`` or a fatal error. Does nothing while active.
  public func resume() {
    scheduler.execute { [self] in
      guard status.state != .active, !isClosed else { return }
      change { status in
        status.state = .active
        status.lastError = nil
      }
      leaveConnection()
      reconnectsOnJoining = true
      start()
    }
  }

  /// Tries now instead of waiting for the back-off.
  public func reconnect() {
    scheduler.execute { [self] in
      if status.state == .invalid { return resume() }
      feedReset { $0.reconnect() }
      connection?.handle(.reconnectNow)
      connection?.handle(.checkLiveness)
    }
  }

  /// Sets the handler of the session's end, called once, on the thread that closes the session.
  func whenClosed(_ handler: @escaping @Sendable (SyncSession) -> Void) {
    shared.withLock { $0.whenClosed = handler }
  }

  /// Ends the session for good; the file stays. Opening the realm again begins another session.
  public func close() {
    let handler = shared.withLock { shared in
      defer { shared.whenClosed = nil }
      return shared.whenClosed
    }
    handler?(self)
    (file as? HistoryFile)?.released(by: self)
    scheduler.execute { [self] in
      guard !isClosed else { return }
      change { $0.state = .inactive }
      feedReset { $0.close() }
      leaveConnection()
      stage = .closed
      commitObservation = nil
      // Work under way ends before another process may sync the file.
      if let lock { environment.executor.submit(to: queue) { lock.unlock() } }
      lock = nil
      failWaits(
        SyncError(.clientSessionError, "the session was closed", remedy: "open the realm again", isFatal: true))
    }
  }

  /// Leaves the connection, if the session is on one: it hears nothing of it any more.
  func leaveConnection() {
    guard let (connection, ident) = membership else { return }
    stage = .detached
    connection.handle(.deactivate(ident))
    hearCommits()
    change { status in
      status.connection = .disconnected
      status.isCaughtUp = false
      status.isDownloadKnown = false
    }
  }
}
