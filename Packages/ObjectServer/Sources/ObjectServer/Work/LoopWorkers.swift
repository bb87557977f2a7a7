public import Transport

/// Workers that do everything on the loop itself: for simulation, where one thread and one seed decide all.
public struct LoopWorkers: Workers {
  private let scheduler: any Scheduler
  private let delay: Duration

  /// Workers on `scheduler`, each piece of work starting `delay` after its submission.
  public init(scheduler: any Scheduler, delay: Duration = .zero) {
    self.scheduler = scheduler
    self.delay = delay
  }

  public func submit(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) {
    scheduler.schedule(after: delay, work)
  }

  public func shutDown(_ completion: @escaping @Sendable () -> Void) {
    scheduler.schedule(after: delay, completion)
  }
}
