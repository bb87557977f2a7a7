import SyncProtocol
import Synchronization

extension SyncSession {
  /// Returns when every transaction committed before the call is durable on the server.
  ///
  /// Waits through lost connections and restarts of the server.
  /// - Throws: ``SyncError`` when the session stops; `CancellationError` when the task is cancelled.
  public func waitForUpload() async throws { try await wait(isUpload: true) }

  /// Returns when everything that was on the server at the time of the call is in the local file.
  ///
  /// - Throws: ``SyncError`` when the session stops; `CancellationError` when the task is cancelled.
  public func waitForDownload() async throws { try await wait(isUpload: false) }

  /// As ``waitForDownload()``, but does not wait for a connection: throws as soon as an attempt reaches no server, or the
  /// session is suspended.
  public func waitForDownloadOnline() async throws { try await wait(isUpload: false, isEager: true) }

  /// ``waitForUpload()`` or ``waitForDownload()``, under the modern name.
  public func wait(for direction: ProgressDirection) async throws { try await wait(isUpload: direction == .upload) }

  /// The form of ``waitForUpload()`` with a completion, called once on the client's loop.
  public func waitForUpload(_ completion: @escaping @Sendable (Result<Void, SyncError>) -> Void) {
    scheduler.execute { [self] in _ = begin(Wait(isUpload: true, completion: completion)) }
  }

  /// The form of ``waitForDownload()`` with a completion, called once on the client's loop.
  public func waitForDownload(_ completion: @escaping @Sendable (Result<Void, SyncError>) -> Void) {
    scheduler.execute { [self] in _ = begin(Wait(isUpload: false, completion: completion)) }
  }

  private func begin(_ wait: Wait) -> WaitIdent? {
    let status = status
    if isClosed || status.state == .invalid {
      let stopped = SyncError(
        .clientSessionError, "the session has stopped", remedy: "resume it or open the realm again", isFatal: true)
      wait.completion(.failure(status.lastError ?? stopped))
      return nil
    }
    if wait.isEager, status.state != .active {
      wait.completion(
        .failure(SyncError(.connectionFailed, "the session is suspended", remedy: "resume it, then open the realm")))
      return nil
    }
    nextWait += 1
    let number = WaitIdent(rawValue: nextWait)
    waits[number] = wait
    guard let ident, let connection else {
      recount()
      return number
    }
    if wait.isEager, status.connection == .disconnected { connection.handle(.reconnectNow) }
    // The commit that the caller waits for may still be on its way to the loop: ask the file.
    let file = file
    work {
      Result { try file.state().newest }
    } then: { session, result in
      guard session.ident == ident, session.connection === connection, session.waits[number] != nil else { return }
      if case .success(let newest) = result { connection.handle(.localCommit(ident, newest: newest)) }
      connection.handle(wait.isUpload ? .waitForUploads(ident, number) : .waitForDownloads(ident, number))
    }
    return number
  }

  private func wait(isUpload: Bool, isEager: Bool = false) async throws {
    let box = WaitBox()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard box.store(continuation) else { return }
        scheduler.execute { [self] in
          let number = begin(
            Wait(isUpload: isUpload, isEager: isEager) { result in box.finish(result.mapError { $0 as any Error }) })
          box.onCancel { [weak self] in
            guard let self, let number else { return }
            scheduler.execute { self.waits[number] = nil }
          }
        }
      }
    } onCancel: {
      box.cancel()
    }
  }
}

/// One continuation that is resumed once: by the end of the wait or by its cancellation.
private final class WaitBox: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var isCancelled = false
    var cleanUp: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// False when it was cancelled before it began.
  func store(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isLate { continuation.resume(throwing: CancellationError()) }
    return !isLate
  }

  func onCancel(_ cleanUp: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cleanUp = cleanUp
      return state.isCancelled
    }
    if isLate { cleanUp() }
  }

  func finish(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  func cancel() {
    let cleanUp = state.withLock { state in
      state.isCancelled = true
      return state.cleanUp
    }
    cleanUp?()
    finish(.failure(CancellationError()))
  }
}
