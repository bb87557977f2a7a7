import Dispatch
import Foundation
import SyncClient
import TodoCore

/// The session of a realm file, and on whose behalf it runs.
struct SyncLink {
  let client: SyncClient
  let session: SyncSession
  let accounts: Accounts
  let account: Accounts.Account
  let access: AccessBook

  func close() { client.close(session) }

  /// The session's state in the words of the app.
  func status(pending: Int, isOffline: Bool) -> StoreStatus {
    let now = session.status
    var status = StoreStatus(pendingUploads: pending, account: account.text)
    switch (isOffline, now.state, now.connection) {
    case (true, _, _), (_, .inactive, _): status.connection = .offline
    case (_, .invalid, _): status.connection = .disconnected
    case (_, .active, _) where now.isSyncedElsewhere: status.connection = .elsewhere
    case (_, .active, .connected): status.connection = .connected
    case (_, .active, .connecting): status.connection = now.lastError == nil ? .connecting : .disconnected
    case (_, .active, .disconnected): status.connection = now.lastError == nil ? .connecting : .disconnected
    }
    if now.remainingDownloadBytes > 0 {
      let all = now.transfer.downloaded + now.remainingDownloadBytes
      status.progress = Double(now.transfer.downloaded) / Double(max(1, all))
    }
    (status.access, status.refused) = (access.access, access.refused)
    // What was refused is told by itself.
    if !isOffline, let error = now.lastError, error.code != .writeRejected,
      error.isFatal || error.code != .connectionFailed
    {
      status.problem = .init(error.message, remedy: error.remedy)
    }
    return status
  }

  /// Waits for the session, or, where another process syncs the file, for what that does.
  func wait(
    for direction: WaitDirection, seconds: Double, isPatient: Bool, pending: () -> Int
  ) -> WaitOutcome {
    let done = ChangeSignal()
    let deadline = DispatchTime.now() + max(0, min(seconds, 86_400))
    let completion: @Sendable (Result<Void, SyncError>) -> Void = { result in
      if case .success = result { done.raise() }
    }
    direction == .upload ? session.waitForUpload(completion) : session.waitForDownload(completion)
    repeat {
      if done.wait(seconds: 0.02) { return .done }
      let status = session.status
      if status.isSyncedElsewhere, direction == .download || pending() == 0 { return .done }
      if let error = status.lastError {
        if error.isFatal { return .failed(.init(error.message, remedy: error.remedy)) }
        if !isPatient, status.connection == .disconnected { return .disconnected }
      }
    } while DispatchTime.now() < deadline
    return session.status.connection == .connected ? .timedOut : .disconnected
  }
}
