import Concurrency
import SyncProtocol

extension SyncSession {
  /// Returns when every transaction committed before the call is durable on the server.
  ///
  /// Waits through lost connections and restarts of the server.
  /// - Throws: ``SyncError`` when the session stops; `CancellationError` when the task is cancelled.
  public func waitForUpload() async throws { try await wait(.upload) }

  /// Returns when everything that was on the server at the time of the call is in the local file.
  ///
  /// - Throws: ``SyncError`` when the session stops; `CancellationError` when the task is cancelled.
  public func waitForDownload() async throws { try await wait(.download) }

  /// As ``waitForDownload()``, without waiting for a connection.
  ///
  /// - Throws: ``SyncError`` as soon as an attempt reaches no server, or the session is suspended or stops;
  ///   `CancellationError` when the task is cancelled.
  public func waitForDownloadOnline() async throws { try await wait(.download, needsConnection: true) }

  /// ``waitForUpload()`` or ``waitForDownload()``, under the modern name.
  ///
  /// - Throws: ``SyncError`` when the session stops; `CancellationError` when the task is cancelled.
  public func wait(for direction: ProgressDirection) async throws { try await wait(direction) }

  /// The form of ``waitForUpload()`` with a completion, called once on the client's loop.
  public func waitForUpload(_ completion: @escaping @Sendable (Result<Void, SyncError>) -> Void) {
    begin(.upload, completion)
  }

  /// The form of ``waitForDownload()`` with a completion, called once on the client's loop.
  public func waitForDownload(_ completion: @escaping @Sendable (Result<Void, SyncError>) -> Void) {
    begin(.download, completion)
  }

  private func begin(
    _ direction: ProgressDirection, _ completion: @escaping @Sendable (Result<Void, SyncError>) -> Void
  ) {
    scheduler.execute { [self] in _ = begin(WaitTable.Wait(direction: direction, completion: completion)) }
  }

  /// Begins a wait, or ends it at once when the session has stopped. On the loop.
  private func begin(_ wait: WaitTable.Wait) -> WaitIdent? {
    let status = status
    if isClosed || status.state == .invalid {
      let stopped = SyncError(
        .clientSessionError, "the session has stopped", remedy: "resume it or open the realm again", isFatal: true)
      wait.completion(.failure(status.lastError ?? stopped))
      return nil
    }
    if wait.needsConnection, status.state != .active {
      wait.completion(
        .failure(SyncError(.connectionFailed, "the session is suspended", remedy: "resume it, then open the realm")))
      return nil
    }
    let number = waits.add(wait)
    guard let (connection, ident) = membership else {
      recount()
      return number
    }
    if wait.needsConnection, status.connection == .disconnected { connection.handle(.reconnectNow) }
    // The commit that the caller waits for may still be on its way to the loop: the file knows it.
    let file = file
    work {
      try file.state()
    } then: { session, result in
      guard let member = session.membership, member.ident == ident, member.connection === connection,
        session.waits.contains(number)
      else { return }
      if case .success(let state) = result {
        connection.handle(.localCommit(ident, newest: state.newest))
        session.announce(state.queries)
        if wait.direction == .download, session.park(number, until: state.queries) { return }
      }
      connection.handle(wait.event(number, of: ident))
    }
    return number
  }

  private func wait(_ direction: ProgressDirection, needsConnection: Bool = false) async throws {
    let continuation = CancellableContinuation()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { checked in
        guard continuation.store(checked) else { return }
        scheduler.execute { [self] in
          let wait = WaitTable.Wait(direction: direction, needsConnection: needsConnection) { result in
            continuation.finish(result.mapError { $0 as any Error })
          }
          let number = begin(wait)
          continuation.onCancel { [weak self] in
            guard let self, let number else { return }
            scheduler.execute { _ = self.waits.remove(number) }
          }
        }
      }
    } onCancel: {
      continuation.cancel()
    }
  }
}
