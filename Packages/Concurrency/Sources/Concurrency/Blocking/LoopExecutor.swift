import Synchronization
import Telemetry

/// An executor on the event loop itself: for simulations, in which one thread and one seed decide the order of everything.
///
/// The cost of a job is computed from its ``JobAttributes/bytes``, not measured, so it does not depend on the machine.
public final class LoopExecutor: BlockingExecutor {
  private typealias Work = @Sendable () -> Void

  private let loop: any Scheduler
  private let delay: Duration
  private let scheduler = Mutex(FairScheduler<Work>(.init(heavy: 1)))

  /// An executor on a loop. Each submission starts one job after `delay`, not necessarily its own: the fair order decides.
  public init(loop: any Scheduler, delay: Duration = .zero) {
    self.loop = loop
    self.delay = delay
  }

  /// Starts one job `delay` after this call, on the loop.
  public func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void) {
    scheduler.withLock { $0.submit(job, work, at: loop.now) }
    loop.schedule(after: delay) { [self] in runNext() }
  }

  /// Calls `completion` after the jobs that were submitted before.
  public func shutDown(_ completion: @escaping @Sendable () -> Void) {
    loop.schedule(after: delay, completion)
  }

  private func runNext() {
    guard let job = scheduler.withLock({ $0.next(at: loop.now) }) else { return }
    job.work()
    let cost = Duration.microseconds(50) + .nanoseconds(10) * job.attributes.bytes
    scheduler.withLock { $0.finished(job, cost: cost, at: loop.now) }
  }
}
