import Synchronization
import Telemetry
public import Transport

/// Workers that do everything on the loop itself: for simulation, where one thread and one seed decide all. What a piece of work
/// consumed is counted by the bytes that it worked on, as time would depend on the machine.
public final class LoopWorkers: Workers {
  private typealias Work = @Sendable () -> Void

  private let loop: any Scheduler
  private let delay: Duration
  private let scheduler = Mutex(WorkScheduler<Work>(.init(heavy: 1)))

  /// Workers on `scheduler`; a piece of work starts `delay` after the submission of one, not necessarily its own.
  public init(scheduler: any Scheduler, delay: Duration = .zero) {
    loop = scheduler
    self.delay = delay
  }

  public func submit(_ order: WorkOrder, _ work: @escaping @Sendable () -> Void) {
    scheduler.withLock { $0.submit(order, work, at: loop.now) }
    loop.schedule(after: delay) { [self] in runNext() }
  }

  private func runNext() {
    guard let turn = scheduler.withLock({ $0.next(at: loop.now) }) else { return }
    turn.work()
    let cost = Duration.microseconds(50) + .nanoseconds(10) * turn.order.bytes
    scheduler.withLock { $0.finished(turn, cost: cost, at: loop.now) }
  }

  public func shutDown(_ completion: @escaping @Sendable () -> Void) {
    loop.schedule(after: delay, completion)
  }
}
