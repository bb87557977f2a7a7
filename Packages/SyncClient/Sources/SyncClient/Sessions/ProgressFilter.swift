import Synchronization

/// Drops repeated progress, and everything after the final one. Safe from any thread.
final class ProgressFilter: Sendable {
  private struct State {
    var last: SyncSession.Progress?
    var isDone = false
  }
  private let state = Mutex(State())

  /// Whether a progress is to be reported.
  func admits(_ progress: SyncSession.Progress, isLast: Bool) -> Bool {
    state.withLock { state in
      guard !state.isDone, state.last != progress else { return false }
      state.last = progress
      state.isDone = isLast
      return true
    }
  }
}
