import Concurrency
import SyncProtocol

/// The errors of a reset, as the application gets them.
extension SyncSession {
  /// Stops the session with an error that carries the path of a backup and the token that performs the reset.
  func leaveResetToApplication(_ failure: SyncFailure) {
    var fatal = failure
    fatal.isFatal = true
    var error = SyncError(fatal)
    error.code = .clientResetError
    let backup = (file as? any ResettableFile)?.backupPath()
    error.reset = (
      backup ?? "",
      SyncError.ActionToken { [weak self] in
        guard let self else { return }
        scheduler.execute { self.feedReset { $0.applicationAgreed(to: failure, backup: backup) } }
      }
    )
    failed(fatal, error)
    policy.manualHandler?(error, self)
  }

  /// Reports local changes that the server's state does not have and a reset could not do again.
  func reportLoss(_ failure: SyncFailure, changes: Int, path: String?) {
    var warning = failure
    warning.isFatal = false
    warning.action = .warning
    let place = path.map { "; they are listed in \($0)" } ?? ""
    let isRefusal = failure.code == .writeNotAllowed
    var error = SyncError(
      isRefusal ? .permissionDeniedError : .clientResetError,
      "the realm was reset (\(failure)); \(changes) local changes could not be kept\(place)",
      remedy: isRefusal ? "ask the owner for write access and make them again" : "make them again if they matter",
      cause: warning)
    error.lostChangesPath = path
    failed(warning, error)
  }
}
