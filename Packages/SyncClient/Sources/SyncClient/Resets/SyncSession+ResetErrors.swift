import Concurrency
import RecordStore
import SyncProtocol

/// The errors of a reset, as the application gets them.
extension SyncSession {
  /// Leaves a reset to the application, or performs it when an earlier launch of the client left it.
  func leaveResetToApplication(_ failure: SyncFailure) {
    guard let file = file as? any ResettableFile else { return tellOfReset(failure, backup: nil) }
    let launch = environment.launch
    work {
      try file.leave(LeftReset(launch: launch, backup: file.backupPath() ?? ""))
    } then: { session, result in
      guard session.status.state == .active, session.reset.attempt == nil else { return }
      switch result {
      case .success(let noted):
        let backup = noted.backup.isEmpty ? nil : noted.backup
        guard noted.launch != launch else { return session.tellOfReset(failure, backup: backup) }
        session.logger.warn("the reset that an earlier launch left to the application is made now")
        session.feedReset { $0.applicationAgreed(to: failure, backup: backup) }
      case .failure(let error):
        session.logger.error("cannot note that a reset is left to the application: \(error)")
        session.tellOfReset(failure, backup: nil)
      }
    }
  }

  /// Stops the session with an error that carries the path of a backup and the token that performs the reset.
  private func tellOfReset(_ failure: SyncFailure, backup: String?) {
    var fatal = failure
    fatal.isFatal = true
    var error = SyncError(fatal)
    error.code = .clientResetError
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
