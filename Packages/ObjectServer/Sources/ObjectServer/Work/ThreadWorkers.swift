import Foundation
import Synchronization
import Telemetry

/// Workers on a few threads of their own, which share their processor time fairly: see ``WorkScheduler``.
public final class ThreadWorkers: Workers {
  private typealias Work = @Sendable () -> Void

  private struct State {
    var scheduler: WorkScheduler<Work>
    var isStopping = false
    var isStopped = false
    var completions: [Work] = []
  }

  // nonisolated(unsafe): every access is between lock and unlock of `condition`.
  nonisolated(unsafe) private var state: State
  private let condition = NSCondition()
  private let clock = SystemMonotonicClock()

  /// Workers on `threads` threads, at least one, and one more that stays free for users who have consumed little.
  public init(threads: Int) {
    let settings = WorkScheduler<Work>.Settings(heavy: threads)
    state = State(scheduler: WorkScheduler(settings))
    for number in 0..<settings.turns {
      let thread = Thread { [self] in work() }
      thread.name = "worker-\(number)"
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  public func submit(_ order: WorkOrder, _ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      guard !state.isStopped else { return }
      state.scheduler.submit(order, work, at: clock.now)
      condition.signal()
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
    var next = take(after: nil)
    while var turn = next {
      next = nil
      let start = Self.processorTime
      turn.work()
      // Let go of before the thread waits: the work holds what it worked on.
      turn.work = {}
      next = take(after: (turn, Self.processorTime - start))
    }
  }

  /// Gives a turn back and takes the next; nil when there is nothing left and there will be nothing.
  private func take(
    after last: (turn: WorkScheduler<Work>.Turn, cost: Duration)?
  ) -> WorkScheduler<Work>.Turn? {
    condition.lock()
    defer { condition.unlock() }
    if let last {
      state.scheduler.finished(last.turn, cost: last.cost, at: clock.now)
      if state.isStopping { condition.broadcast() }
    }
    while true {
      if let turn = state.scheduler.next(at: clock.now) {
        // Another may run beside it, which could not before.
        if last != nil { condition.signal() }
        return turn
      }
      if state.isStopping, state.scheduler.isIdle {
        stop()
        return nil
      }
      condition.wait()
    }
  }

  /// Called with the lock held; the first thread to come here tells those who wait.
  private func stop() {
    state.isStopped = true
    let completions = state.completions
    state.completions = []
    condition.broadcast()
    condition.unlock()
    for completion in completions { completion() }
    condition.lock()
  }

  /// The processor time that this thread has consumed.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
