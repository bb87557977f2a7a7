import Foundation
import Synchronization
import Telemetry

/// An executor on threads of its own, which start when jobs are ready and end when they were idle for some seconds.
///
/// Processor time is shared fairly between payers (`FairScheduler`). A blocked job occupies its thread: jobs must not
/// wait for jobs that are submitted later unless there are threads for all of them.
public final class ThreadPoolExecutor: BlockingExecutor {
  private typealias Work = @Sendable () -> Void

  private struct State {
    var scheduler: FairScheduler<Work>
    /// Threads that were started and have not ended.
    var threads = 0
    /// Threads that wait for a job.
    var idle = 0
    /// Whether a thread was signalled or started that has not looked for a job yet. One at a time: a thread that finds a job
    /// wakes the next.
    var isSearching = false
    var isStopping = false
    var isStopped = false
    var completions: [Work] = []
  }

  // nonisolated(unsafe): every access is between lock and unlock of `condition`.
  nonisolated(unsafe) private var state: State
  private let condition = NSCondition()
  private let clock = SystemMonotonicClock()
  private let name: String
  private let maximumThreads: Int
  private let idleTime: TimeInterval

  /// An executor that has no thread yet.
  ///
  /// - Parameters:
  ///   - threads: the most threads for any work, at least one; one more is reserved for payers who consumed little.
  ///   - name: the threads are called `name-1`, `name-2`, …
  ///   - idleTime: the seconds after which an idle thread ends.
  public init(threads: Int, name: String = "blocking", idleTime: TimeInterval = 10) {
    let settings = FairScheduler<Work>.Settings(heavy: threads)
    state = State(scheduler: FairScheduler(settings))
    maximumThreads = settings.slots
    self.name = name
    self.idleTime = idleTime
  }

  /// The number of threads now.
  var threadCount: Int { condition.withLock { state.threads } }

  /// Runs `work` on a thread of the pool. After ``shutDown(_:)`` completed, the work is dropped.
  ///
  /// - Complexity: O(log n) in the queues with jobs.
  public func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      guard !state.isStopped else { return }
      state.scheduler.submit(job, work, at: clock.now)
      wakeOrStartThread()
    }
  }

  /// Calls `completion` on a thread of the pool when all jobs are done, or at once when there are none and no threads.
  public func shutDown(_ completion: @escaping @Sendable () -> Void) {
    let completions = condition.withLock {
      state.isStopping = true
      state.completions.append(completion)
      return stopIfIdle()
    }
    for completion in completions { completion() }
  }

  /// With the lock held: has one more thread look for a job if one can run. Busy threads look when their job ends.
  private func wakeOrStartThread() {
    guard state.scheduler.canStartJob, !state.isSearching else { return }
    if state.idle > 0 {
      state.isSearching = true
      condition.signal()
    } else if state.threads < maximumThreads {
      state.isSearching = true
      state.threads += 1
      let thread = Thread { [self] in run() }
      thread.name = "\(name)-\(state.threads)"
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  private func run() {
    var next = nextJob(after: nil)
    while var job = next {
      next = nil
      let start = processorTime
      job.work()
      // Released before the thread waits: the closure keeps its captures alive.
      job.work = {}
      next = nextJob(after: (job, processorTime - start))
    }
  }

  /// Finishes a job and takes the next one; nil when the thread must end.
  private func nextJob(
    after last: (job: FairScheduler<Work>.RunningJob, cost: Duration)?
  ) -> FairScheduler<Work>.RunningJob? {
    condition.lock()
    if let last {
      state.scheduler.finished(last.job, cost: last.cost, at: clock.now)
    } else {
      state.isSearching = false
    }
    var isIdleTooLong = false
    while true {
      if let job = state.scheduler.next(at: clock.now) {
        // A job of another queue may run beside this one.
        wakeOrStartThread()
        condition.unlock()
        return job
      }
      let completions = stopIfIdle()
      if state.isStopped || isIdleTooLong {
        state.threads -= 1
        condition.unlock()
        for completion in completions { completion() }
        return nil
      }
      isIdleTooLong = !waitForSignal()
    }
  }

  /// With the lock held: waits for a signal; false when none came within the idle time.
  private func waitForSignal() -> Bool {
    state.idle += 1
    _ = condition.wait(until: Date(timeIntervalSinceNow: idleTime))
    state.idle -= 1
    // Whichever thread resumes first looks for the job, even if the signal was for another.
    defer { state.isSearching = false }
    return state.isSearching || state.isStopping
  }

  /// With the lock held: stops the executor when it is asked to and no job is left; returns the completions to call.
  private func stopIfIdle() -> [Work] {
    guard state.isStopping, state.scheduler.isIdle else { return [] }
    state.isStopped = true
    condition.broadcast()
    defer { state.completions = [] }
    return state.completions
  }

  /// The processor time that the calling thread consumed, by the clock of the system.
  public var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
