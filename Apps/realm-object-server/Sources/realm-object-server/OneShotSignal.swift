import Synchronization

/// A signal that is sent once and resumes all tasks that wait for it, also later ones. From any thread.
final class OneShotSignal: Sendable {
  private struct State {
    var isSent = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func send() {
    let waiting = state.withLock { state in
      state.isSent = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        if !state.isSent { state.waiting.append(continuation) }
        return state.isSent
      }
      if isSent { continuation.resume() }
    }
  }
}
