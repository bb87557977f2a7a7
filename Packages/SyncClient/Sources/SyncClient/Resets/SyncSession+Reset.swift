import ChangesetOT
import RecordStore
import SyncProtocol
import Telemetry

/// Client resets: the server's state is downloaded into a fresh file, and the file of the session becomes equal to it in
/// one commit, with what it has and the server lacks done again on top. Killed anywhere before that commit, the next
/// session meets the same error and begins anew.
extension SyncSession {
  /// A reset under way.
  struct ResetRun {
    let number: UInt64
    let failure: SyncFailure
    let mode: ClientReset.Mode
    /// Where to put a copy of the file first.
    let backup: String?
    /// Whether it waits because others failed before it.
    var isWaiting = true
    /// Downloads into the fresh file, then asks.
    var child: SyncSession?
    /// What was downloaded, and the number of the socket on which that ended.
    var fresh: (file: any SyncedFile, connection: SharedConnection, socket: SocketNumber)?
    /// Which changes the server has.
    var inquiry: ResetInquiry?
  }

  /// Does what an error offers.
  public static func immediatelyHandleError(_ token: SyncError.ActionToken) { token.perform() }

  /// The server cannot go on with this file.
  func resetAsked(_ failure: SyncFailure) {
    noteDivergence(failure)
    guard resetRun == nil, !isClosed, !isForReset, let file = file as? any ResettableFile else {
      return failed(failure)
    }
    switch ResetPlan.step(for: failure, way: resets.way, memory: resetMemory) {
    case .manual: leaveToApplication(failure, file)
    case .automatic(let mode): beginReset(mode, because: failure)
    }
  }

  private func noteDivergence(_ failure: SyncFailure?) {
    if failure?.code == .badChangeset { change { $0.divergences += 1 } }
  }

  private func leaveToApplication(_ failure: SyncFailure, _ file: any ResettableFile) {
    deactivate()
    let reason = failure
    var failure = failure
    failure.isFatal = true
    var error = SyncError(failure)
    error.code = .clientResetError
    let backup = file.backupPath()
    error.reset = (
      backup ?? "",
      SyncError.ActionToken { [weak self] in
        guard let self else { return }
        scheduler.execute { [self] in
          guard !isClosed, resetRun == nil else { return }
          change { status in
            status.state = .active
            status.lastError = nil
          }
          beginReset(.discard, because: reason, backup: backup)
        }
      }
    )
    failed(failure, error)
    resets.manualHandler?(error, self)
  }

  private func beginReset(_ mode: ClientReset.Mode, because failure: SyncFailure, backup: String? = nil) {
    deactivate()
    resetCount += 1
    let number = resetCount
    resetRun = ResetRun(number: number, failure: failure, mode: mode, backup: backup)
    logger.warn("the file is reset (\(mode.rawValue)): \(failure)")
    let delay = ResetPlan.delay(attempts: resetMemory.attempts)
    resetMemory.attempts += 1
    scheduler.schedule(after: delay) { [weak self] in self?.downloadFresh(number) }
  }

  /// The application suspends or closes the session: the next one will reset the file.
  func cancelReset() {
    resetRun?.child?.close()
    resetRun = nil
  }

  /// Begins the reset that waits, if one does.
  func endResetDelay() {
    if let run = resetRun { downloadFresh(run.number) }
  }

  private func downloadFresh(_ number: UInt64) {
    guard let run = resetRun, run.number == number, run.isWaiting, let file = file as? any ResettableFile else {
      return
    }
    resetRun?.isWaiting = false
    work {
      Result { try file.makeFresh() }
    } then: { session, result in
      guard session.resetRun?.number == number else { return }
      switch result {
      case .success(let fresh): session.download(into: fresh, number)
      case .failure(let error): session.resetFailed(error)
      }
    }
  }

  private func download(into fresh: any SyncedFile, _ number: UInt64) {
    let child = makeChild(fresh)
    child.waitForDownload { [weak self, weak child] result in
      guard let self, resetRun?.number == number, let child else { return }
      switch result {
      case .success:
        guard let connection = child.connection else { return restartReset() }
        resetRun?.fresh = (fresh, connection, connection.socketNumber)
        endChild()
        beginInquiry(number)
      case .failure(let error): childFailed(error)
      }
    }
  }

  func childFailed(_ error: SyncError) {
    guard let run = resetRun else { return }
    noteDivergence(error.cause)
    let mayTryAgain = error.cause.map { $0.action == .clientReset || $0.action == .transient } ?? false
    if mayTryAgain { return restartReset() }
    cancelReset()
    failed(error.cause ?? run.failure, error)
  }

  /// The server is another one than before, or has none of what was begun.
  func restartReset() {
    guard let run = resetRun else { return }
    cancelReset()
    beginReset(run.mode, because: run.failure, backup: run.backup)
  }

  func takeOver(_ fresh: any SyncedFile, integrated: ClientVersion?) {
    guard let run = resetRun, let file = file as? any ResettableFile else { return }
    let reset = ClientReset(
      mode: run.mode, integrated: integrated, serverForgot: ResetPlan.serverForgot(run.failure))
    let around = resets.around
    let reason = run.failure.description
    work {
      Result {
        let after = around?()
        if let backup = run.backup { try file.writeBackup(to: backup) }
        var path: String?
        // What is lost is on disk before it leaves the file.
        let outcome = try file.reset(to: fresh, reset) { outcome in
          if !outcome.lost.isEmpty { path = try file.export(outcome.lost, because: reason) }
        }
        file.removeFresh()
        after?()
        return (outcome, path)
      }
    } then: { session, result in
      guard session.resetRun?.number == run.number else { return }
      switch result {
      case .success((let outcome, let path)): session.resetDone(outcome, path)
      case .failure(let error): session.resetFailed(error)
      }
    }
  }

  private func resetDone(_ outcome: ClientReset.Outcome, _ path: String?) {
    guard let run = resetRun else { return }
    resetRun = nil
    if ResetPlan.isAboutUploads(run.failure) { resetMemory.refused = run.mode }
    sentSizes = []
    logger.info("the file was reset: \(outcome.recovered) transactions recovered, \(outcome.lost.count) changes lost")
    change { status in
      status.resets += 1
      status.transfer.unacknowledged = 0
    }
    start()
    guard !outcome.lost.isEmpty else { return }
    var failure = run.failure
    failure.isFatal = false
    failure.action = .warning
    let place = path.map { "; they are listed in \($0)" } ?? ""
    let isRefusal = run.failure.code == .writeNotAllowed
    var error = SyncError(
      isRefusal ? .permissionDeniedError : .clientResetError,
      "the realm was reset (\(run.failure)); \(outcome.lost.count) local changes could not be kept\(place)",
      remedy: isRefusal ? "ask the owner for write access and make them again" : "make them again if they matter",
      cause: failure)
    error.lostChangesPath = path
    failed(failure, error)
  }

  func resetFailed(_ error: any Error) {
    guard let run = resetRun else { return }
    cancelReset()
    logger.error("the reset failed: \(error)")
    var failure = run.failure
    failure.message += "; the reset failed: \(error)"
    guard let file = file as? any ResettableFile else { return failed(failure) }
    leaveToApplication(failure, file)
  }
}
