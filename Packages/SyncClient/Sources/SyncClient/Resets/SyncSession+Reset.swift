import Concurrency
import RecordStore
import SyncProtocol
import Telemetry

/// Performs the actions of ``ResetMachine``, all on the client's loop.
///
/// A process that is killed before the takeover has changed nothing: its next session meets the same error and begins
/// anew.
extension SyncSession {
  /// The resources of the reset under way.
  struct ResetParts {
    /// The file that gets the server's state.
    var fresh: (any SyncedFile)?
    /// Downloads into the fresh file, then asks the server.
    var child: SyncSession?
    /// The connection on which the download ended.
    var connection: SharedConnection?
  }

  /// Performs the reset, or the deletion of the local copy, that an error offers.
  public static func immediatelyHandleError(_ token: SyncError.ActionToken) { token.perform() }

  /// Feeds an event to the machine of resets and performs its actions.
  func feedReset(_ event: (inout ResetMachine) -> [ResetMachine.Action]) {
    for action in event(&reset) { perform(action) }
  }

  private func perform(_ action: ResetMachine.Action) {
    switch action {
    case .countDivergence: change { $0.divergences += 1 }
    case .leaveConnection: leaveConnection()
    case .announce(let mode, let failure): logger.warn("the file is reset (\(mode.rawValue)): \(failure)")
    case .startDelay(let attempt, let delay):
      scheduler.schedule(after: delay) { [weak self] in self?.feedReset { $0.delayEnded(attempt) } }
    case .reactivate:
      change { status in
        status.state = .active
        status.lastError = nil
      }
    case .finish(let recovered, let lost): finishReset(recovered: recovered, lost: lost)
    case .makeFreshFile(let attempt): makeFreshFile(attempt)
    case .readIncarnations(let attempt): readIncarnations(attempt)
    case .takeOver(let attempt, let reset, let untold): takeOver(attempt, reset, untold)
    case .dropFreshFile: resetParts = ResetParts()
    case .download(let attempt): if let fresh = resetParts.fresh { runChild(fresh, attempt) }
    case .probe(let attempt, let ident): runChild(IdentProbe(ident: ident), attempt)
    case .reconnectChild: resetParts.child?.reconnect()
    case .closeChild:
      resetParts.child?.close()
      resetParts.child = nil
    case .report(let failure): failed(failure)
    case .leaveToApplication(let failure): leaveResetToApplication(failure)
    case .reportLoss(let failure, let changes, let path): reportLoss(failure, changes: changes, path: path)
    case .logFailure(let message): logger.error("the reset failed: \(message)")
    }
  }

  private func finishReset(recovered: Int, lost: Int) {
    sentChangesets = SentChangesets()
    logger.info("the file was reset: \(recovered) transactions recovered, \(lost) changes lost")
    change { status in
      status.resets += 1
      status.transfer.unacknowledged = 0
    }
    start()
  }

  // MARK: The child session

  /// Runs a session that only downloads, on the connection of this one.
  ///
  /// Its queue is not the file's: the application's writes do not wait for the download.
  private func runChild(_ file: any SyncedFile, _ attempt: AttemptIdent) {
    let child = SyncSession(
      file: file, target: target, queue: SerialQueue("reset", queue.number), environment: environment, role: .reset,
      connectionProvider: connectionProvider)
    resetParts.child = child
    child.start()
    child.waitForDownload { [weak self, weak child] result in
      guard let self, let child, resetParts.child === child else { return }
      let connection = resetParts.connection ?? child.connection
      resetParts.connection = connection
      let socket = connection?.socketNumber
      switch result {
      case .success: feedReset { $0.childFinished(attempt, on: socket) }
      case .failure(let error): feedReset { $0.childFailed(attempt, error.cause, on: socket) }
      }
    }
  }
}
