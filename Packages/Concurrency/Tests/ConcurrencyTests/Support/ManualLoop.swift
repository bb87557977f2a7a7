import Concurrency
import Synchronization
import Telemetry

/// A loop whose time passes when the test runs it.
final class ManualLoop: Scheduler {
  private struct Entry {
    var due: MonotonicInstant
    var order: Int
    var work: @Sendable () -> Void
  }
  private struct State {
    var now = MonotonicInstant.zero
    var submissions = 0
    var entries: [Entry] = []
  }
  private final class Handle: Cancellable { func cancel() {} }
  private let state = Mutex(State())

  var now: MonotonicInstant { state.withLock { $0.now } }
  var wallTime: WallTime { WallTime(millisecondsSince1970: 0) }
  var isOnLoop: Bool { true }

  func execute(_ work: @escaping @Sendable () -> Void) { schedule(after: .zero, work) }

  @discardableResult
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
    state.withLock {
      $0.entries.append(Entry(due: $0.now + delay, order: $0.submissions, work: work))
      $0.submissions += 1
    }
    return Handle()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs all work, also work that is submitted meanwhile, in the order of (time, submission).
  func run() {
    while let work = state.withLock({ state -> (@Sendable () -> Void)? in
      let next = state.entries.indices.min {
        (state.entries[$0].due, state.entries[$0].order) < (state.entries[$1].due, state.entries[$1].order)
      }
      guard let next else { return nil }
      let entry = state.entries.remove(at: next)
      state.now = entry.due
      return entry.work
    }) { work() }
  }
}
