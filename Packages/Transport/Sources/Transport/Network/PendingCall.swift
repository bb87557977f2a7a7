import Concurrency
import Synchronization

/// Bridges a callback and a cancellation to one continuation. The first of the two resumes it, exactly once.
final class PendingCall<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Value, any Error>?
    var work: (any Cancellable)?
    var isCancelled = false
    var isFinished = false
  }
  private let state = Mutex(State())

  /// Stores `continuation`, then starts the work, unless it was cancelled before.
  func start(_ continuation: CheckedContinuation<Value, any Error>, _ begin: () -> any Cancellable) {
    let mayStart = state.withLock { state in
      if state.isCancelled { return false }
      state.continuation = continuation
      return true
    }
    guard mayStart else { return continuation.resume(throwing: CancellationError()) }
    let work = begin()
    let isLate = state.withLock { state in
      state.work = state.isFinished ? nil : work
      return state.isCancelled
    }
    if isLate { work.cancel() }
  }

  func finish(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.isFinished = true
      state.work = nil
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    work?.cancel()
    finish(.failure(CancellationError()))
  }
}
