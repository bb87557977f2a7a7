import Synchronization

/// Lets one task sleep until somebody wakes it, from any thread; who was woken before does not fall asleep.
final class Wakeup: Sendable {
  private enum State {
    case awake
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }
  private let state = Mutex(State.awake)

  func wake() {
    let sleeper: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .asleep(let sleeper) = state else {
        state = .woken
        return nil
      }
      state = .awake
      return sleeper
    }
    sleeper?.resume()
  }

  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(_isolation actor: isolated any Actor = #isolation) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleeper in
        let isWoken = state.withLock { state in
          if case .woken = state {
            state = .awake
            return true
          }
          state = .asleep(sleeper)
          return false
        }
        if isWoken { sleeper.resume() }
      }
    } onCancel: {
      wake()
    }
    try Task.checkCancellation()
  }
}
