import ChangesetOT
import Dispatch
import Foundation
import RecordStore
import Synchronization

extension SyncSubscriptionSet {
  /// Returns when the server serves the set that is shown, or a later one has taken its place. Waits through lost
  /// connections.
  ///
  /// - Returns: the state that ended the wait.
  /// - Throws: ``SyncError`` when the server refuses the set; `CancellationError`.
  @discardableResult
  public func waitForSync() async throws -> SyncSubscriptionState {
    try await SubscriptionWait(editor.store, editor.set.version).run()
    return state
  }
}

/// A wait until a set is served, refused or superseded. Looks after each commit of any process.
final class SubscriptionWait: Sendable {
  private let store: SubscriptionStore
  private let version: QueryVersion
  private let continuation = CancellableContinuation()
  private let observation = Mutex<RealmCommitObservation?>(nil)

  init(_ store: SubscriptionStore, _ version: QueryVersion) {
    self.store = store
    self.version = version
  }

  /// Waits, at most for `timeout` seconds.
  ///
  /// - Throws: `POSIXError` with code `ETIMEDOUT` after that.
  func run(timeout: TimeInterval?) async throws {
    guard let timeout else { return try await run() }
    let alarm = Task { [continuation] in
      try await Task.sleep(for: .seconds(timeout))
      continuation.finish(.failure(POSIXError(.ETIMEDOUT)))
    }
    defer { alarm.cancel() }
    try await run()
  }

  func run() async throws {
    defer { observation.withLock { $0 = nil } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { checked in
        guard continuation.store(checked) else { return }
        do {
          // Not within the commit: the look takes a snapshot of its own.
          let token = try store.file.observeCommits { [weak self] in
            guard let self else { return }
            DispatchQueue.global().async { self.look() }
          }
          observation.withLock { $0 = token }
        } catch { return continuation.finish(.failure(error)) }
        look()
      }
    } onCancel: {
      continuation.cancel()
    }
  }

  private func look() {
    do {
      let sets = try store.sets()
      switch SyncSubscriptionState(sets?[version]) {
      case .creating, .pending: return
      case .complete, .invalidated: continuation.finish(.success(()))
      case .error(let error): continuation.finish(.failure(error))
      }
    } catch { continuation.finish(.failure(error)) }
  }
}
