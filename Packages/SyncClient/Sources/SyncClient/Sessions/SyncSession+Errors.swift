import SyncProtocol
import Telemetry

/// The way of an error: into the status, to the waits, and to the handlers. On the loop.
extension SyncSession {
  /// Gives the application what the server reports. A report that the file keeps is dropped there afterwards: an application
  /// that is killed in between is given it again, and one that is killed before is given it at the next start.
  func give(_ report: SyncFailure) {
    failed(report)
    guard report.compensation != nil else { return }
    let file = file
    work {
      try file.given(report)
    } then: { session, result in
      if case .failure(let error) = result { session.logger.error("cannot note that a report was given: \(error)") }
    }
  }

  func failed(_ failure: SyncFailure) {
    var error = SyncError(failure)
    if error.code == .permissionDeniedError, error.isFatal { error.deletion = deletion }
    failed(failure, error)
  }

  /// Ends the session and deletes its file, when the application wants that; nil for realms in memory.
  private var deletion: SyncError.ActionToken? {
    guard let file = file as? HistoryFile, case .file(let path) = file.realm.location else { return nil }
    return SyncError.ActionToken { [weak self] in
      self?.close()
      do { try FileDeletion(path: path).ask() } catch { self?.logger.error("cannot delete \(path): \(error)") }
    }
  }

  /// Reports `error`, whose cause in the protocol is `failure`.
  func failed(_ failure: SyncFailure, _ error: SyncError) {
    // A certificate may be mended, but not by trying again: told once, not at every attempt.
    let isInsecure = failure.origin == .closed(.tlsFailed) && status.lastError?.code != error.code
    change { status in
      status.lastError = error
      if failure.isFatal { status.state = .invalid }
    }
    // The end of a child session is an answer for the reset, which reports failures itself.
    if failure.isFatal, role != .reset { logger.error("\(error)") } else { logger.detail("\(error)") }
    let isUnreachable = failure.origin == .network || failure.origin == .closed(.tlsFailed)
    if failure.isFatal || (role == .application(givesUpEarly: true) && isUnreachable) {
      failWaits(error)
    } else if isUnreachable || status.connection != .connected {
      failWaitsOnline(error)
    }
    let isSilent = !failure.isFatal && !isInsecure && (failure.origin == .network || failure.action == .transient)
    guard !isSilent else { return }
    let handlers = shared.withLock { $0.errorHandlers }
    for handler in handlers { handler(error, self) }
  }
}
