import Foundation
import Synchronization

/// Workers on a few threads of their own. A lane with work is picked up by one thread at a time.
public final class ThreadWorkers: Workers {
  private struct State {
    /// Work that waits, by lane; a lane has an entry while it waits or runs.
    var queues: [WorkLane: [@Sendable () -> Void]] = [:]
    /// Lanes that wait for a thread, in order.
    var ready: [WorkLane] = []
    var running = 0
    var isStopping = false
    var isStopped = false
    var completions: [@Sendable () -> Void] = []
  }

  // nonisolated(unsafe): every access is between lock and unlock of `condition`.
  nonisolated(unsafe) private var state = State()
  private let condition = NSCondition()

  /// Workers on `threads` threads, at least one.
  public init(threads: Int) {
    for number in 0..<max(1, threads) {
      let thread = Thread { [self] in work() }
      thread.name = "worker-\(number)"
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  public func submit(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      guard !state.isStopped else { return }
      if state.queues[lane]?.append(work) == nil {
        state.queues[lane] = [work]
        state.ready.append(lane)
        condition.signal()
      }
    }
  }

  public func shutDown(_ completion: @escaping @Sendable () -> Void) {
    let isDone = condition.withLock {
      state.isStopping = true
      if state.isStopped { return true }
      state.completions.append(completion)
      condition.broadcast()
      return false
    }
    if isDone { completion() }
  }

  private func work() {
    while let (lane, pieces) = take() {
      for piece in pieces { piece() }
      finish(lane)
    }
  }

  /// All that waits in the next lane; nil when there is nothing left and there will be nothing.
  private func take() -> (WorkLane, [@Sendable () -> Void])? {
    condition.lock()
    defer { condition.unlock() }
    while state.ready.isEmpty {
      if state.isStopping && state.running == 0 { return stop() }
      condition.wait()
    }
    let lane = state.ready.removeFirst()
    let pieces = state.queues[lane] ?? []
    state.queues[lane] = []
    state.running += 1
    return (lane, pieces)
  }

  private func finish(_ lane: WorkLane) {
    condition.withLock {
      state.running -= 1
      if state.queues[lane]?.isEmpty ?? true {
        state.queues[lane] = nil
      } else {
        state.ready.append(lane)
      }
      if state.isStopping { condition.broadcast() } else if !state.ready.isEmpty { condition.signal() }
    }
  }

  /// Called with the lock held; the first thread to come here tells those who wait.
  private func stop() -> (WorkLane, [@Sendable () -> Void])? {
    state.isStopped = true
    let completions = state.completions
    state.completions = []
    condition.broadcast()
    condition.unlock()
    for completion in completions { completion() }
    condition.lock()
    return nil
  }
}
