import Synchronization

/// A continuation that is resumed once: by the end of the wait or by the cancellation of its task.
///
/// Safe on any thread.
final class CancellableContinuation: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var isCancelled = false
    var cleanUp: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// Stores the continuation; resumes it with `CancellationError` when the task was cancelled before.
  ///
  /// - Returns: whether it was stored.
  func store(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isLate { continuation.resume(throwing: CancellationError()) }
    return !isLate
  }

  /// Sets the block that a cancellation runs; runs it at once when the task was cancelled before.
  func onCancel(_ cleanUp: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cleanUp = cleanUp
      return state.isCancelled
    }
    if isLate { cleanUp() }
  }

  /// Resumes the continuation, unless it was resumed before.
  func finish(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  /// Runs the block of ``onCancel(_:)`` and resumes the continuation with `CancellationError`.
  func cancel() {
    let cleanUp = state.withLock { state in
      state.isCancelled = true
      return state.cleanUp
    }
    cleanUp?()
    finish(.failure(CancellationError()))
  }
}
