import Synchronization

/// Lets a progress pass when it differs from the last one, and nothing after the final one.
final class ProgressGate: Sendable {
  private struct State {
    var last: SyncSession.Progress?
    var isDone = false
  }
  private let state = Mutex(State())

  func admits(_ progress: SyncSession.Progress, isLast: Bool) -> Bool {
    state.withLock { state in
      guard !state.isDone, state.last != progress else { return false }
      state.last = progress
      state.isDone = isLast
      return true
    }
  }
}
