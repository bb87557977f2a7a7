import Dispatch
import RealmSwift
import TodoCore

extension SyncSession {
  /// The state of the session in the words of the app.
  func storeStatus(isOffline: Bool) -> StoreStatus {
    let now = status
    var status = StoreStatus()
    switch (isOffline, now.state, now.connection) {
    case (true, _, _), (_, .inactive, _): status.connection = .offline
    case (_, .invalid, _): status.connection = .disconnected
    case (_, .active, _) where now.isSyncedElsewhere: status.connection = .elsewhere
    case (_, .active, .connected): status.connection = .connected
    case (_, .active, .connecting), (_, .active, .disconnected):
      status.connection = now.lastError == nil ? .connecting : .disconnected
    }
    if now.remainingDownloadBytes > 0 {
      let all = now.transfer.downloaded + now.remainingDownloadBytes
      status.progress = Double(now.transfer.downloaded) / Double(max(1, all))
    }
    // Refused writes and lost connections have words of their own.
    if !isOffline, let error = now.lastError, error.code != .writeRejected,
      error.isFatal || error.code != .connectionFailed
    {
      status.problem = .init(error.message, remedy: error.remedy)
    }
    return status
  }

  /// Waits for one direction; where another process syncs the file, until its history says that nothing is pending.
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool, pending: () -> Int) -> WaitOutcome {
    let done = ChangeSignal()
    let deadline = DispatchTime.now() + max(0, min(seconds, 86_400))
    wait(for: direction == .upload ? .upload : .download, queue: nil) { error in
      if error == nil { done.raise() }
    }
    repeat {
      if done.wait(seconds: 0.02) { return .done }
      let status = status
      if status.isSyncedElsewhere, direction == .download || pending() == 0 { return .done }
      if let error = status.lastError, error.isFatal { return .failed(.init(error.message, remedy: error.remedy)) }
      if !isPatient, let obstacle = Self.obstacle(status) { return obstacle }
    } while DispatchTime.now() < deadline
    if let obstacle = Self.obstacle(status) { return obstacle }
    if status.isSyncedElsewhere {
      return .notServed(
        .init("another running todo syncs this device, and is not done", remedy: "look at its status line"))
    }
    return connectionState == .connected ? .timedOut : .disconnected
  }

  /// The reason why a wait cannot end well before an attempt to connect succeeds; nil while one is under way.
  private static func obstacle(_ status: SyncStatus) -> WaitOutcome? {
    guard status.connection == .disconnected, let error = status.lastError else { return nil }
    return error.code == .connectionFailed ? .disconnected : .notServed(.init(error.message, remedy: error.remedy))
  }

  /// Tries to connect unless an attempt is under way or the server said how long to wait.
  func retryIfUnreachable() {
    let status = status
    if status.connection == .disconnected, status.lastError?.code == .connectionFailed { reconnect() }
  }
}
